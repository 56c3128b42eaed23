/** Lets the keyboard scroll an element: it is focusable, but only while it overflows. */
export function scrollable(node: HTMLElement) {
  const look = () => {
    const more = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
    if (more) node.tabIndex = 0;
    else node.removeAttribute("tabindex");
  };
  const sizes = new ResizeObserver(look);
  const children = new MutationObserver(look);
  sizes.observe(node);
  children.observe(node, { childList: true, subtree: true });
  look();
  return {
    destroy() {
      sizes.disconnect();
      children.disconnect();
    },
  };
}
