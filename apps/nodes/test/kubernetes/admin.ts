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

/** A client with all rights, for any path. */
export class Admin {
  constructor(
    private readonly pool: Pool,
    private readonly token: string,
  ) {}

  get(path: string): Promise<AnyObject | undefined> {
    return this.send('GET', path)
  }

  async list(path: string): Promise<AnyObject[]> {
    return ((await this.send('GET', path))?.items ?? []) as AnyObject[]
  }

  /** Creates it unless it exists. */
  async put(path: string, object: object): Promise<void> {
    await this.send('POST', path, object)
  }

  /** As kubectl edit does. */
  async patch(path: string, patch: object, manager = 'kubectl-edit'): Promise<void> {
    await this.send('PATCH', `${path}?fieldManager=${manager}`, patch, 'application/merge-patch+json')
  }

  /** As another controller does. */
  async apply(path: string, object: object, manager: string): Promise<void> {
    await this.send('PATCH', `${path}?fieldManager=${manager}&force=true`, object, 'application/apply-patch+yaml')
  }

  async remove(path: string, options: object = {}): Promise<void> {
    await this.send('DELETE', path, { kind: 'DeleteOptions', apiVersion: 'v1', ...options })
  }

  close(): Promise<void> {
    return this.pool.destroy()
  }

  /** Undefined for 404 and 409. */
  private async send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, type = 'application/json') {
    const headers = { authorization: `Bearer ${this.token.trim()}`, ...(body && { 'content-type': type }) }
    const answer = await this.pool.request({ method, path, headers, body: body && JSON.stringify(body) })
    const json = (await answer.body.json()) as AnyObject
    if (answer.statusCode === 404 || answer.statusCode === 409) return undefined
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${json.message}`)
    return json
  }
}
