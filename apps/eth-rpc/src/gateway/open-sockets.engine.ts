/** How many WebSockets are open in one process: in all, and by the client's network, project and user. */
interface SocketLimits {
  readonly address: number
  readonly project: number
  readonly user: number
  readonly all: number
}

/** `address` is one of IPv4, or a /64 of IPv6: whoever has one has all of it. */
export type SocketOwner = Readonly<Record<'address' | 'project' | 'user', string>>

const KINDS = ['address', 'project', 'user'] as const

/** Why another WebSocket would be one too many. */
export const SOCKET_REFUSALS: Readonly<Record<keyof SocketLimits, string>> = {
  address: 'too many WebSockets are open from this address',
  project: 'too many WebSockets of this project are open',
  user: "too many WebSockets of this project's owner are open",
  all: 'too many WebSockets are open here',
}

/** Counts open WebSockets by whom they belong to; what has none takes no memory. */
export class OpenSockets {
  #all = 0
  /** How many were not opened, by the limit. */
  readonly refused: Record<keyof SocketLimits, number> = { address: 0, project: 0, user: 0, all: 0 }
  readonly #counts = new Map<string, number>()

  constructor(private readonly limits: SocketLimits) {}

  get count(): number {
    return this.#all
  }

  /** The limit by which no other one may be opened; undefined where it may. */
  limitReached(owner: SocketOwner): keyof SocketLimits | undefined {
    if (this.#all >= this.limits.all) return 'all'
    return KINDS.find((kind) => (this.#counts.get(keyOf(kind, owner)) ?? 0) >= this.limits[kind])
  }

  add(owner: SocketOwner): void {
    this.change(owner, 1)
  }

  remove(owner: SocketOwner): void {
    this.change(owner, -1)
  }

  private change(owner: SocketOwner, by: 1 | -1): void {
    this.#all += by
    for (const key of KINDS.map((kind) => keyOf(kind, owner))) {
      const count = (this.#counts.get(key) ?? 0) + by
      if (count > 0) this.#counts.set(key, count)
      else this.#counts.delete(key)
    }
  }
}

function keyOf(kind: (typeof KINDS)[number], owner: SocketOwner): string {
  return `${kind} ${owner[kind]}`
}
