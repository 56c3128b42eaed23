/** The current address. Links are real links; this handles clicks on them. */
import { tick } from "svelte";
import { isPage, readRoute, type Route } from "./route";

class Router {
  route: Route = $state.raw(readRoute(location.pathname, location.search));
  /** False until the first move inside the client: the browser itself puts the focus on the first page. */
  moved = $state(false);

  /** Goes to an address of the client's own. `replace` leaves no step back. */
  async go(href: string, { replace = false } = {}): Promise<void> {
    const url = new URL(href, location.href);
    const samePage = url.pathname === location.pathname;
    history[replace ? "replaceState" : "pushState"](null, "", url);
    this.read();
    if (replace || samePage) return;
    this.moved = true;
    await tick();
    scrollTo(0, 0);
  }

  /** The browser changed the address: back, forward, or a link within the page. */
  read(): void {
    const route = readRoute(location.pathname, location.search);
    if (JSON.stringify(route) !== JSON.stringify(this.route)) this.route = route;
  }

  back(): void {
    this.moved = true;
    this.read();
  }

  /** A click on one of our own links stays in this document. */
  click(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = (event.target as Element | null)?.closest("a");
    if (
      !link ||
      link.target ||
      link.hasAttribute("download") ||
      link.origin !== location.origin ||
      !isPage(link.pathname)
    )
      return;
    const within = link.hash !== "" && link.pathname === location.pathname && link.search === location.search;
    if (within) return;
    event.preventDefault();
    void this.go(link.href);
  }
}

export const router = new Router();
