/** The person using this browser. */
import type { Me } from "../gen/wire";
import { say } from "../words/pages";
import { api } from "./client";

class Myself {
  /** Undefined until the server has said. */
  me: Me | undefined = $state.raw();

  async load(): Promise<void> {
    this.me = await api.me();
  }

  get known(): boolean {
    return this.me?.name !== undefined;
  }

  /** Makes sure there is a session: a guest with this name, unless somebody is signed in. */
  async ensure(name: string): Promise<void> {
    if (this.me === undefined) await this.load();
    if (this.me?.account || (this.me?.name !== undefined && this.me.name === name)) return;
    this.me = await api.guest(name);
  }

  async rename(name: string): Promise<void> {
    this.me = await api.guest(name);
  }

  async signIn(name: string, passphrase: string): Promise<void> {
    this.me = await api.signIn(name, passphrase);
  }

  async signUp(name: string, passphrase: string): Promise<void> {
    this.me = await api.account(name, passphrase);
  }

  async signOut(): Promise<void> {
    this.me = await api.signOut();
  }
}

export const myself = new Myself();

/** A random name. */
export function playfulName(random: () => number = Math.random): string {
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? "";
  return `${pick(say.names.first)} ${pick(say.names.second)}`;
}
