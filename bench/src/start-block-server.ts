import { startScript } from './process.ts'

/** The block server for this chain file, with its tip at a height. */
export async function startBlockServer(file: string, height: number) {
  const server = await startScript('./block-server.ts', file, String(height))
  async function ask<T>(method: string, ...params: unknown[]): Promise<T> {
    const answer = await fetch(server.url, { method: 'POST', body: JSON.stringify({ id: 0, method, params }) })
    return JSON.parse(await answer.text()).result
  }
  return {
    ...server,
    setHeight: (tip: number) => ask<null>('setheight', tip),
    /** When the bytes of this block were first requested, in milliseconds since 1970. */
    requestedAt: (hash: string) => ask<number>('requestedat', hash),
  }
}
