import { databaseProblem } from './database-problem.js'

/**
 * Batches the lookups that begin in one turn of the event loop into one query.
 * Every result is a fresh read: a lookup never joins a query that was sent before, and nothing is cached.
 */
export function batchLookups<K, V>(load: (keys: K[]) => Promise<Map<K, V>>, limit = 256): (key: K) => Promise<V | undefined> {
  let open: Lookups<K, V> = new Map()

  function close(group: Lookups<K, V>): Promise<void> {
    if (open === group) open = new Map()
    return answer(group, load)
  }

  return (key) => {
    if (open.size >= limit && !open.has(key)) open = new Map()
    if (open.size === 0) setImmediate(close, open)
    const lookup = open.get(key) ?? Promise.withResolvers<V | undefined>()
    open.set(key, lookup)
    return lookup.promise
  }
}

type Lookups<K, V> = Map<K, PromiseWithResolvers<V | undefined>>

async function answer<K, V>(group: Lookups<K, V>, load: (keys: K[]) => Promise<Map<K, V>>): Promise<void> {
  try {
    const found = await load([...group.keys()])
    for (const [key, { resolve }] of group) resolve(found.get(key))
  } catch (error) {
    for (const { reject } of group.values()) reject(error)
  }
}

/**
 * Commits writes in groups: each caller's promise settles with the commit of its group, and the next group forms meanwhile.
 * `write` must write all of its items or none: a group that fails is written again one by one, so that an invalid item fails
 * only its own caller.
 */
export function groupCommit<T>(write: (items: T[]) => Promise<void>, limit = 256): (item: T) => Promise<void> {
  const waiting: Waiting<T>[] = []
  let writing = false

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, limit)
      // The database is unavailable: the items behind this group would fail too.
      await writeGroup(group, write).catch((error) => refuse([...group, ...waiting.splice(0)], error))
    }
    writing = false
  }

  return (item) => {
    const one = { ...Promise.withResolvers<void>(), item }
    waiting.push(one)
    if (!writing) setImmediate(writeAll)
    writing = true
    return one.promise
  }
}

type Waiting<T> = PromiseWithResolvers<void> & { item: T }

/** Settles every item of the group, or throws if the database is unavailable. */
async function writeGroup<T>(group: Waiting<T>[], write: (items: T[]) => Promise<void>): Promise<void> {
  try {
    await write(group.map(({ item }) => item))
    for (const { resolve } of group) resolve()
  } catch (error) {
    if (databaseProblem(error)) throw error
    if (group.length === 1) refuse(group, error)
    else for (const one of group) await writeGroup([one], write)
  }
}

function refuse<T>(group: Waiting<T>[], error: unknown): void {
  for (const { reject } of group) reject(error)
}
