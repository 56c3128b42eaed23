/** A window over the page (`<dialog use:modal={whenClosed}>`): open as long as it is there, and the page takes clicks again afterwards. */
export function modal(node: HTMLDialogElement, onclose: () => void) {
  let closed = onclose;
  const heard = () => closed();
  node.addEventListener("close", heard);
  node.showModal?.();
  return {
    update: (next: () => void) => (closed = next),
    destroy() {
      node.removeEventListener("close", heard);
      // Gives the focus back, which leaving the page alone would not.
      node.close?.();
      requestAnimationFrame(() => requestAnimationFrame(wake));
    },
  };
}

let times = 0;

/**
 * Chromium (148) now and then leaves a part of the page inert after a modal dialog is gone: it is drawn, but takes no
 * clicks. An inherited property that changes makes it look at every element again.
 */
function wake(): void {
  times += 1;
  document.documentElement.style.setProperty("--windows-closed", String(times));
}
