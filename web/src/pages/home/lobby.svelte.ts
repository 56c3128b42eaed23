/** Who else is here: asked for every few seconds while the page is visible. */
import { api } from "../../api/client";
import { problemOf } from "../../api/problem";
import type { Lobby } from "../../gen/wire";
import { isSame } from "./same";

const AGAIN = 4000;

export class Lookout {
  lobby: Lobby | undefined = $state.raw();
  complaint = $state("");

  /** Looks from now on; returns how to stop. */
  watch(): () => void {
    void this.look();
    const timer = setInterval(() => {
      if (!document.hidden) void this.look();
    }, AGAIN);
    return () => clearInterval(timer);
  }

  private async look(): Promise<void> {
    try {
      const found = await api.lobby();
      if (!isSame(found, this.lobby)) this.lobby = found;
      this.complaint = "";
    } catch (error) {
      this.complaint = problemOf(error).words;
    }
  }
}
