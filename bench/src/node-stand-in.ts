import { startRival } from './process.ts'

/** The block server over this chain file, which shows the blocks up to a height. */
export async function startBlockServer(file: string, height: number) {
  const server = await startRival('./block-server.ts', file, String(height))
  async function ask<T>(method: string, ...params: unknown[]): Promise<T> {
    const answer = await fetch(server.url, { method: 'POST', body: JSON.stringify({ id: 0, method, params }) })
    return ((await answer.json()) as { result: T }).result
  }
  return {
    ...server,
    showHeight: (shown: number) => ask<null>('showheight', shown),
    /** When somebody first asked for the bytes of this block; milliseconds of the epoch. */
    askedAt: (hash: string) => ask<number>('askedat', hash),
  }
}
