/** Which puzzles have been solved: the server remembers it for a person, this browser for nobody in particular. */
import { api } from "../../api/client";
import { myself } from "../../api/me.svelte";
import { remember, remembered } from "../play/table";

/** By name, the answers that solved it. */
type Lines = Readonly<Record<string, readonly number[]>>;

const KEY = "puzzles";

class Solved {
  private here: Lines = $state.raw(remembered<Lines>(KEY, {}));
  private mine: ReadonlySet<string> = $state.raw(new Set());
  readonly names: ReadonlySet<string> = $derived(new Set([...this.mine, ...Object.keys(this.here)]));

  async load(): Promise<void> {
    if (!myself.me) await myself.load();
    this.mine = new Set(myself.known ? await api.solvedPuzzles() : []);
    if (myself.known) void this.handOver();
  }

  add(name: string, answers: readonly number[]): void {
    if (myself.known) this.mine = new Set([...this.mine, name]);
    else this.keep({ ...this.here, [name]: answers });
  }

  /** What was solved before there was a person becomes theirs. */
  private async handOver(): Promise<void> {
    for (const [name, answers] of Object.entries(this.here)) {
      try {
        if (!this.mine.has(name)) await api.attempt(name, answers);
      } catch {
        // It stays in this browser until next time.
        continue;
      }
      this.mine = new Set([...this.mine, name]);
      const { [name]: _, ...rest } = this.here;
      this.keep(rest);
    }
  }

  private keep(lines: Lines): void {
    this.here = lines;
    remember(KEY, lines);
  }
}

export const solved = new Solved();
