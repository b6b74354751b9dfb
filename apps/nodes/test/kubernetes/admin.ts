import type { Pool } from 'undici'

export interface AnyObject {
  readonly kind?: string
  readonly metadata: {
    readonly name: string
    readonly uid?: string
    readonly deletionTimestamp?: string
    readonly labels?: Record<string, string>
    readonly annotations?: Record<string, string>
    readonly resourceVersion?: string
  }
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API server says; the test reads what it expects there.
  readonly [member: string]: any
}

/** Somebody who may do everything, with any path. */
export class Admin {
  constructor(
    private readonly pool: Pool,
    private readonly token: string,
  ) {}

  get(path: string): Promise<AnyObject | undefined> {
    return this.ask('GET', path)
  }

  async list(path: string): Promise<AnyObject[]> {
    return ((await this.ask('GET', path))?.items ?? []) as AnyObject[]
  }

  /** Unless it is there. */
  async put(path: string, object: object): Promise<void> {
    await this.ask('POST', path, object)
  }

  /** As somebody does with kubectl. */
  async patch(path: string, patch: object, manager = 'kubectl-edit'): Promise<void> {
    await this.ask('PATCH', `${path}?fieldManager=${manager}`, patch, 'application/merge-patch+json')
  }

  /** As another controller does. */
  async apply(path: string, object: object, manager: string): Promise<void> {
    await this.ask('PATCH', `${path}?fieldManager=${manager}&force=true`, object, 'application/apply-patch+yaml')
  }

  async remove(path: string, options: object = {}): Promise<void> {
    await this.ask('DELETE', path, { kind: 'DeleteOptions', apiVersion: 'v1', ...options })
  }

  close(): Promise<void> {
    return this.pool.destroy()
  }

  /** Undefined: there is no such thing, or there is already. */
  private async ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, type = 'application/json') {
    const headers = { authorization: `Bearer ${this.token.trim()}`, ...(body && { 'content-type': type }) }
    const answer = await this.pool.request({ method, path, headers, body: body && JSON.stringify(body) })
    const json = (await answer.body.json()) as AnyObject
    if (answer.statusCode === 404 || answer.statusCode === 409) return undefined
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${json.message}`)
    return json
  }
}
