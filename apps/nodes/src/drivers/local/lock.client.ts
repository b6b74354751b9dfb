import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const RETRY_MS = 10

/** Does the work, unless somebody on this computer is at it, in this process or another. */
export async function unlessLocked(path: string, work: () => Promise<void>): Promise<void> {
  const lock = await take(path)
  if (lock) await holding(lock, work)
}

/** Does the work when nobody else is at it any more. */
export async function whenUnlocked<T>(path: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const lock = await take(path)
    if (lock) return holding(lock, work)
    await delay(RETRY_MS)
  }
}

/** A socket that is no file (unix(7): abstract): the system lets go of it however its holder ends. Undefined: somebody has it. */
function take(path: string): Promise<Server | undefined> {
  const name = createHash('sha256').update(resolve(path)).digest('hex')
  return new Promise((taken, failed) => {
    const lock = createServer()
    lock.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? taken(undefined) : failed(error)))
    lock.listen({ path: `\0trestle-nodes-${name}` }, () => taken(lock))
  })
}

async function holding<T>(lock: Server, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await new Promise((closed) => lock.close(closed))
  }
}
