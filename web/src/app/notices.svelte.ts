/** What everybody must hear, whatever page they are on. */

class Notices {
  /** The server speaks another version than this page: only reloading helps. */
  outdated = $state(false);

  /** For whoever finds out: the table's connection, or a part of the client that is gone. */
  reloadNeeded(): void {
    this.outdated = true;
  }
}

export const notices = new Notices();
