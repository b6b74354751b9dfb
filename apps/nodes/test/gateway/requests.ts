import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { JsonReply } from '@trestle/testing/call-json'

/** HTTP status and code of a problem. */
export function refusalOf({ status, body, headers }: JsonReply): [number, string] {
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(body.status).toBe(status)
  return [status, body.code]
}

/** With a path and headers, names and values in turn, that no client would send. */
export function rawRequest(url: string, method: string, headers: string[]): Promise<JsonReply> {
  const [, hostname = '', port, path] = /^http:\/\/(.*?):(\d+)(.*)$/.exec(url) ?? []
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers: ['host', hostname, ...headers], agent: false }, async (response) => {
      const said = await text(response)
      const told = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
      resolve({ status: response.statusCode ?? 0, headers: told, text: said, body: said === '' ? undefined : JSON.parse(said) })
    })
    sent.on('upgrade', () => reject(new Error('it was upgraded')))
    sent.on('error', reject)
    sent.end()
  })
}
