/**
 * Limits wrong tokens by address: a burst, then one per second. While an address is over the limit its tokens are not even
 * compared, except those that were right before, so that nobody can lock out who is already in.
 */

const burst = 30;
const perSecond = 1;
/** The number of addresses that are remembered; the oldest are evicted. */
const maxAddresses = 10_000;

interface Bucket {
  left: number;
  at: number;
}

export class GuessLimit {
  readonly #buckets = new Map<string, Bucket>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How many seconds the address must wait; 0 = none. */
  waitSeconds(address: string): number {
    const bucket = this.#buckets.get(networkOf(address));
    return bucket && this.#leftIn(bucket) < 1 ? Math.ceil((1 - this.#leftIn(bucket)) / perSecond) : 0;
  }

  count(address: string): void {
    const network = networkOf(address);
    const bucket = this.#buckets.get(network);
    const left = bucket ? this.#leftIn(bucket) : burst;
    this.#buckets.delete(network);
    this.#buckets.set(network, { left: Math.max(0, left - 1), at: this.now() });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > maxAddresses && oldest !== undefined) this.#buckets.delete(oldest);
  }

  #leftIn({ left, at }: Bucket): number {
    return Math.min(burst, left + ((this.now() - at) / 1000) * perSecond);
  }
}

/** The owner of an IPv6 address usually has its whole /64. */
function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [start = [], end] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: end ? 8 - start.length - end.length : 0 }, () => "0");
  return [...start, ...zeros, ...(end ?? [])].slice(0, 4).join(":");
}
