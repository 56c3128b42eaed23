/** Notices shown on every page. */

class Notices {
  /** The server speaks another version than this page: only reloading helps. */
  outdated = $state(false);

  /** Called by the table's connection, or when a part of the client cannot be loaded. */
  reloadNeeded(): void {
    this.outdated = true;
  }
}

export const notices = new Notices();
