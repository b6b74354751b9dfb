import { randomInt } from 'node:crypto'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

// Below the range that systems take outgoing connections from: a free port there may be gone a moment later.
const LOWEST = 20_000
const HIGHEST = 32_000
// Those that the service of nodes gives away by default.
const NODE_PORTS = { first: 21_000, last: 21_999 }
const LOWEST_RANGE = 10_000

// Whoever was given a port listens on it some seconds later; until then nobody else on this machine is given it.
const CLAIMS = join(tmpdir(), `trestle-ports-${userInfo().uid}`)
const CLAIM_MS = 5 * 60_000

/** As many different ports of the loopback interface, that nobody listens on at this moment or was given lately. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>()
  while (found.size < count) {
    const port = randomInt(LOWEST, HIGHEST)
    const isOfNodes = port >= NODE_PORTS.first && port <= NODE_PORTS.last
    if (!isOfNodes && (await isFree(port)) && claim(port)) found.add(port)
  }
  return [...found]
}

/** The first and the last of so many free ports in a row, which `freePorts` never gives. */
export async function freeRange(count: number): Promise<readonly [first: number, last: number]> {
  for (;;) {
    const first = LOWEST_RANGE + count * randomInt(Math.floor((LOWEST - LOWEST_RANGE) / count))
    const ports = Array.from({ length: count }, (_, i) => first + i)
    if ((await Promise.all(ports.map(isFree))).every(Boolean) && claim(first)) return [first, first + count - 1]
  }
}

function claim(port: number): boolean {
  const file = join(CLAIMS, String(port))
  mkdirSync(CLAIMS, { recursive: true })
  const { mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {}
  if (Date.now() - mtimeMs < CLAIM_MS) return false
  try {
    writeFileSync(file, '', { flag: mtimeMs > 0 ? 'w' : 'wx' })
    return true
  } catch {
    return false
  }
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}
