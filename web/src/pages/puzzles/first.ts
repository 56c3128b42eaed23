/** The button that has the focus when its window opens. */
import { tick } from "svelte";
import type { Attachment } from "svelte/attachments";

export const first: Attachment<HTMLElement> = (button) => {
  void tick().then(() => button.focus());
};
