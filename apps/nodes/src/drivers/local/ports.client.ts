import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import type { Ports } from './records.js'

// Below the range that systems take outgoing connections from: a free port there may be gone a moment later.
const LOWEST = 20_000
const HIGHEST = 32_000

/** Ports of loopback that nobody listens on, and that are not among the taken ones. */
export async function findPorts(isTaken: (port: number) => boolean): Promise<Ports> {
  const rpc = await findPort(isTaken)
  return { rpc, p2p: await findPort((port) => port === rpc || isTaken(port)) }
}

export async function areFree({ rpc, p2p }: Ports): Promise<boolean> {
  return (await isFree(rpc)) && (await isFree(p2p))
}

async function findPort(isTaken: (port: number) => boolean): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    if (!isTaken(port) && (await isFree(port))) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}
