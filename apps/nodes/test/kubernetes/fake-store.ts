import { randomUUID } from 'node:crypto'

// The store of the fake API server: objects, their versions, the managers of their fields, and events.

type Json = null | boolean | number | string | Json[] | { [member: string]: Json | undefined }
export type Tree = { [member: string]: Json | undefined }
export interface Stored extends Tree {
  metadata: Tree & { name: string; labels?: Record<string, string> }
}
export interface Happening {
  readonly version: number
  readonly collection: string
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: Stored
}
interface Manager {
  readonly name: string
  readonly operation: 'Apply' | 'Update'
}

/** A Status of the API server. */
export class ApiRefusal extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly causes: readonly object[] = [],
  ) {
    super(message)
  }
}

// Fields that the server sets. Lists are replaced whole; the real server merges some by key.
const OF_THE_SERVER =
  /^\.(apiVersion|kind|status|metadata\.(name|namespace|uid|resourceVersion|generation|creationTimestamp|managedFields)$)/

export class FakeStore {
  readonly happenings: Happening[] = []
  private readonly objects = new Map<string, Stored>()
  private readonly owners = new Map<string, Map<string, Manager>>()
  private readonly listeners = new Set<(happening: Happening) => void>()
  private version = 1000
  /** Events before this version are no longer available. */
  forgotten = 1000

  get now(): number {
    return this.version
  }

  get(collection: string, name: string): Stored | undefined {
    return this.objects.get(`${collection}/${name}`)
  }

  list(collection: string): Stored[] {
    const prefix = `${collection}/`
    const found = [...this.objects].filter(([key]) => key.startsWith(prefix) && !key.slice(prefix.length).includes('/'))
    return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object)
  }

  /** All objects, with their collections. */
  all(): [string, Stored][] {
    return [...this.objects].map(([key, object]) => [key.slice(0, key.lastIndexOf('/')), object])
  }

  onHappening(listener: (happening: Happening) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  forget(): void {
    this.forgotten = this.version
    this.happenings.length = 0
  }

  /** Server-side apply. */
  apply(collection: string, desired: Stored, { manager, force }: { manager: string; force: boolean }): { object: Stored; isNew: boolean } {
    const { name } = desired.metadata
    const key = `${collection}/${name}`
    const present = this.get(collection, name)
    const owners = new Map(this.owners.get(key))
    const leaves = new Map(leavesOf(desired).filter(([path]) => !OF_THE_SERVER.test(path)))
    const conflicts = [...leaves].flatMap(([path, value]) => {
      const owner = owners.get(path)
      const isOurs = !owner || (owner.name === manager && owner.operation === 'Apply')
      return isOurs || same(at(present, path), value) ? [] : [{ path, owner }]
    })
    if (conflicts.length > 0 && !force) throw conflictOf(conflicts)
    const next = structuredClone(present ?? { metadata: { name } }) as Stored
    for (const [path, owner] of owners)
      if (owner.name === manager && owner.operation === 'Apply' && !leaves.has(path)) {
        owners.delete(path)
        put(next, path, undefined)
      }
    for (const [path, value] of leaves) {
      put(next, path, value)
      owners.set(path, { name: manager, operation: 'Apply' })
    }
    next.apiVersion = desired.apiVersion
    next.kind = desired.kind
    this.owners.set(key, owners)
    return { object: this.save(collection, next), isNew: !present }
  }

  /** A merge patch (RFC 7396), as kubectl and controllers send it. */
  merge(collection: string, name: string, patch: Tree, manager?: string): Stored {
    const present = this.get(collection, name)
    if (!present) throw new ApiRefusal(404, 'NotFound', `${name} not found`)
    const key = `${collection}/${name}`
    const next = merged(present, patch) as Stored
    if (manager) {
      const owners = new Map(this.owners.get(key))
      for (const [path] of leavesOf(patch)) owners.set(path, { name: manager, operation: 'Update' })
      this.owners.set(key, owners)
    }
    return this.save(collection, next)
  }

  save(collection: string, object: Stored): Stored {
    const { name } = object.metadata
    const key = `${collection}/${name}`
    const present = this.objects.get(key)
    const next = structuredClone(object)
    // An empty map is not stored.
    if (isTree(next.data) && Object.keys(next.data).length === 0) delete next.data
    next.metadata.managedFields = this.managedFields(key)
    if (present && same(present, next)) return present
    const generation = Number(present?.metadata.generation ?? 0)
    next.metadata = {
      ...next.metadata,
      namespace: /\/namespaces\/([^/]+)\//.exec(key)?.[1],
      uid: present?.metadata.uid ?? randomUUID(),
      generation: present && same(present.spec, next.spec) ? generation : generation + 1,
      resourceVersion: String(++this.version),
    }
    this.objects.set(key, next)
    this.happened({ version: this.version, collection, type: present ? 'MODIFIED' : 'ADDED', object: next })
    return next
  }

  drop(collection: string, name: string): void {
    const key = `${collection}/${name}`
    const present = this.objects.get(key)
    if (!present) return
    this.objects.delete(key)
    this.owners.delete(key)
    const object = { ...present, metadata: { ...present.metadata, resourceVersion: String(++this.version) } }
    this.happened({ version: this.version, collection, type: 'DELETED', object })
  }

  private happened(happening: Happening): void {
    this.happenings.push(happening)
    for (const listener of this.listeners) listener(happening)
  }

  private managedFields(key: string): Json {
    const managers = new Map<string, Tree>()
    for (const [path, { name, operation }] of this.owners.get(key) ?? []) {
      const entry = managers.get(`${name}/${operation}`) ?? { manager: name, operation, fieldsV1: {} }
      managers.set(`${name}/${operation}`, entry)
      ;(entry.fieldsV1 as Tree)[`f:${path.split('.')[1]}`] = {}
    }
    return [...managers.values()]
  }
}

/** The leaf values by path; dots within a name are written as U+0000, which no name contains. */
function leavesOf(tree: Tree, prefix = ''): [string, Json][] {
  return Object.entries(tree).flatMap(([name, value]): [string, Json][] => {
    const path = `${prefix}.${name.replaceAll('.', '\0')}`
    if (value === undefined) return []
    return isTree(value) && Object.keys(value).length > 0 ? leavesOf(value, path) : [[path, value]]
  })
}

function at(tree: Tree | undefined, path: string): Json | undefined {
  return namesOf(path).reduce<Json | undefined>((here, name) => (isTree(here) ? here[name] : undefined), tree)
}

function put(tree: Tree, path: string, value: Json | undefined): void {
  const names = namesOf(path)
  const last = names.pop()!
  const parent = names.reduce<Tree>((here, name) => {
    const next = here[name]
    if (isTree(next)) return next
    const made: Tree = {}
    here[name] = made
    return made
  }, tree)
  if (value === undefined) delete parent[last]
  else parent[last] = structuredClone(value)
}

function namesOf(path: string): string[] {
  return path
    .split('.')
    .slice(1)
    .map((name) => name.replaceAll('\0', '.'))
}

function merged(target: Json | undefined, patch: Json | undefined): Json | undefined {
  if (!isTree(patch)) return patch
  const result: Tree = isTree(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = merged(result[name], value)
  }
  return result
}

function conflictOf(conflicts: { path: string; owner?: Manager }[]): ApiRefusal {
  const causes = conflicts.map(({ path, owner }) => {
    const by = `conflict with "${owner?.name}"${owner?.operation === 'Update' ? ' using apps/v1 at 2026-01-01T00:00:00Z' : ''}`
    return { reason: 'FieldManagerConflict', message: by, field: path.replaceAll('\0', '.') }
  })
  return new ApiRefusal(409, 'Conflict', `Apply failed with ${causes.length} conflict(s)`, causes)
}

export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
