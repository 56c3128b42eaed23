/**
 * Sheets: text files of sprites. A sprite is a line `= name`, then its rows; after `= name mirror` the rows
 * are its left half. Blank lines and lines that begin with `#` do not count.
 */
import { Grid, SpriteError } from "./grid";

export class Sheet {
  private readonly sprites = new Map<string, Grid>();

  constructor(
    readonly name: string,
    text: string,
  ) {
    let current: { name: string; mirror: boolean; rows: string[] } | undefined;
    const finish = () => {
      if (!current) return;
      const what = `${name}: ${current.name}`;
      if (this.sprites.has(current.name)) throw new SpriteError(`${what} is drawn twice`);
      const grid = Grid.parse(what, current.rows);
      this.sprites.set(current.name, current.mirror ? grid.mirrored() : grid);
    };
    for (const raw of text.split("\n")) {
      const line = raw.trim();
      if (line === "" || line.startsWith("#")) continue;
      if (line.startsWith("=")) {
        finish();
        const [, sprite, mirror] = line.split(/\s+/);
        if (!sprite || (mirror && mirror !== "mirror"))
          throw new SpriteError(`${name}: cannot read "${line}"`);
        current = { name: sprite, mirror: mirror !== undefined, rows: [] };
      } else if (current) current.rows.push(line);
      else throw new SpriteError(`${name}: "${line}" comes before the first name`);
    }
    finish();
  }

  get(sprite: string): Grid {
    const grid = this.sprites.get(sprite);
    if (!grid) throw new SpriteError(`${this.name}: there is no "${sprite}"`);
    return grid;
  }

  has(sprite: string): boolean {
    return this.sprites.has(sprite);
  }

  names(): string[] {
    return [...this.sprites.keys()];
  }
}
