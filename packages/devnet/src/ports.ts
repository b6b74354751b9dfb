import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the range that systems take outgoing connections from: a free port there may be gone a moment later.
const LOWEST = 20_000
const HIGHEST = 32_000

/** As many different ports of the loopback interface, that nobody listens on at this moment. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>()
  while (found.size < count) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isFree(port)) found.add(port)
  }
  return [...found]
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}
