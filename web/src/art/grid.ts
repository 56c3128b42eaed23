/**
 * A picture before it is painted: a rectangle of inks. All composition happens here, in plain values,
 * so that a picture depends on nothing but its inputs and can be tested without a browser.
 */
import { COLOURS, ROLES, type Ink, type Role } from "./palette";

export type Cell = Ink | ".";
export type Recolour = Partial<Record<Ink, Cell>>;

const KNOWN = new Set<string>([...COLOURS, ...ROLES, "."]);

export class SpriteError extends Error {}

export class Grid {
  private readonly cells: Cell[];

  constructor(
    readonly width: number,
    readonly height: number,
    fill: Cell = ".",
  ) {
    this.cells = new Array<Cell>(width * height).fill(fill);
  }

  /** Rows of letters; `what` names the sprite in errors. */
  static parse(what: string, rows: readonly string[]): Grid {
    const width = rows[0]?.length ?? 0;
    if (width === 0) throw new SpriteError(`${what}: no rows`);
    const grid = new Grid(width, rows.length);
    rows.forEach((row, y) => {
      if (row.length !== width)
        throw new SpriteError(
          `${what}: row ${y + 1} has ${row.length} letters, the first row has ${width}: "${row}"`,
        );
      [...row].forEach((letter, x) => {
        if (!KNOWN.has(letter))
          throw new SpriteError(
            `${what}: row ${y + 1} has "${letter}", which is not a colour of the palette`,
          );
        grid.set(x, y, letter as Cell);
      });
    });
    return grid;
  }

  at(x: number, y: number): Cell {
    return x < 0 || y < 0 || x >= this.width || y >= this.height
      ? "."
      : (this.cells[y * this.width + x] ?? ".");
  }

  /** Outside the picture nothing is drawn. */
  set(x: number, y: number, cell: Cell): void {
    if (x >= 0 && y >= 0 && x < this.width && y < this.height) this.cells[y * this.width + x] = cell;
  }

  fill(x: number, y: number, width: number, height: number, cell: Cell): this {
    for (let dy = 0; dy < height; dy++) for (let dx = 0; dx < width; dx++) this.set(x + dx, y + dy, cell);
    return this;
  }

  each(visit: (x: number, y: number, cell: Cell) => void): void {
    for (let y = 0; y < this.height; y++) for (let x = 0; x < this.width; x++) visit(x, y, this.at(x, y));
  }

  /** Draws `other` on top with its upper left corner at (x, y). */
  stamp(other: Grid, x: number, y: number): this {
    other.each((dx, dy, cell) => {
      if (cell !== ".") this.set(x + dx, y + dy, cell);
    });
    return this;
  }

  /** A new grid of the given size whose cell (x, y) is `pick(x, y)`. */
  static from(width: number, height: number, pick: (x: number, y: number) => Cell): Grid {
    const grid = new Grid(width, height);
    grid.each((x, y) => grid.set(x, y, pick(x, y)));
    return grid;
  }

  copy(): Grid {
    return Grid.from(this.width, this.height, (x, y) => this.at(x, y));
  }

  flip(): Grid {
    return Grid.from(this.width, this.height, (x, y) => this.at(this.width - 1 - x, y));
  }

  /** The left half completed to a whole. */
  mirrored(): Grid {
    return Grid.from(this.width * 2, this.height, (x, y) =>
      this.at(x < this.width ? x : 2 * this.width - 1 - x, y),
    );
  }

  /** Turned a quarter to the left: what was on top is on the left. */
  toppled(): Grid {
    return Grid.from(this.height, this.width, (x, y) => this.at(this.width - 1 - y, x));
  }

  /** Without the empty rows and columns around it. */
  trimmed(): Grid {
    let [left, top, right, bottom] = [this.width, this.height, 0, 0];
    this.each((x, y, cell) => {
      if (cell === ".") return;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    });
    return Grid.from(Math.max(0, right - left), Math.max(0, bottom - top), (x, y) =>
      this.at(left + x, top + y),
    );
  }

  recolour(map: Recolour): Grid {
    return Grid.from(this.width, this.height, (x, y) => {
      const cell = this.at(x, y);
      return cell === "." ? "." : (map[cell] ?? cell);
    });
  }

  shift(dx: (y: number) => number, dy = 0): Grid {
    return Grid.from(this.width, this.height, (x, y) => this.at(x - dx(y - dy), y - dy));
  }

  pad(by: number): Grid {
    return Grid.from(this.width + 2 * by, this.height + 2 * by, (x, y) => this.at(x - by, y - by));
  }

  /** A line of `ink` around everything drawn, inside the bounds: pad first for room. */
  outline(ink: Ink): Grid {
    const full = (x: number, y: number) => this.at(x, y) !== ".";
    return Grid.from(this.width, this.height, (x, y) => {
      if (full(x, y)) return this.at(x, y);
      return full(x - 1, y) || full(x + 1, y) || full(x, y - 1) || full(x, y + 1) ? ink : ".";
    });
  }

  /** Light comes from the left: on the right half every light step of a role becomes its middle one. */
  litFromLeft(): Grid {
    const darker: Partial<Record<Role, Role>> = { "3": "2", "6": "5", "9": "8" };
    return Grid.from(this.width, this.height, (x, y) => {
      const cell = this.at(x, y);
      return x >= this.width / 2 ? (darker[cell as Role] ?? cell) : cell;
    });
  }

  rows(): string[] {
    return Array.from({ length: this.height }, (_, y) =>
      this.cells.slice(y * this.width, (y + 1) * this.width).join(""),
    );
  }
}
