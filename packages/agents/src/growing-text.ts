/**
 * A text that is put together of very many pieces. Adding them to a string would leave each piece behind it as an object,
 * which the garbage collector then visits again and again.
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
