import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import type { MachinePorts } from './records.js'

// Below the ephemeral range, where a free port may be taken a moment later.
const MIN_PORT = 20_000
const MAX_PORT = 32_000

/** Free ports of loopback that are not reserved. */
export async function findPorts(isReserved: (port: number) => boolean): Promise<MachinePorts> {
  const rpc = await findPort(isReserved)
  return { rpc, p2p: await findPort((port) => port === rpc || isReserved(port)) }
}

export async function areFree({ rpc, p2p }: MachinePorts): Promise<boolean> {
  return (await isFree(rpc)) && (await isFree(p2p))
}

async function findPort(isReserved: (port: number) => boolean): Promise<number> {
  for (;;) {
    const port = randomInt(MIN_PORT, MAX_PORT)
    if (!isReserved(port) && (await isFree(port))) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}
