/**
 * A text that is built from very many pieces. Concatenating them to one string would keep each piece alive as a rope node,
 * which slows down the garbage collector.
 */
const piecesAtOnce = 1000;

export class GrowingText {
  readonly #joined: string[] = [];
  #pieces: string[] = [];

  add(piece: string): void {
    if (this.#pieces.push(piece) < piecesAtOnce) return;
    this.#joined.push(this.#pieces.join(""));
    this.#pieces = [];
  }

  toString(): string {
    return this.#joined.join("") + this.#pieces.join("");
  }
}
