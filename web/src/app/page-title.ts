/** When a page opens, its title becomes the window's title and its heading gets the focus. */
import type { Attachment } from "svelte/attachments";
import { say } from "../words/pages";
import { router } from "./router.svelte";

/** For the one `h1` of a page. */
export function pageTitle(title: string): Attachment<HTMLElement> {
  return (heading) => {
    document.title = title === "" ? say.title : say.titleOf(title);
    heading.tabIndex = -1;
    if (router.moved && location.hash === "") heading.focus({ preventScroll: true });
  };
}
