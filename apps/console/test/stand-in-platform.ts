import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Heard {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

type Answer = (response: ServerResponse, heard: Heard) => void

/** Stands in for the services: remembers what it is asked, and answers as it is told to. The stories in e2e have the real one. */
export async function startStandInPlatform() {
  const heard: Heard[] = []
  let answer: Answer = (response) => response.end('{}')
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    const question = { method, path, headers, body: Buffer.concat(chunks).toString() }
    heard.push(question)
    answer(response, question)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    answerWith(next: Answer) {
      heard.length = 0
      answer = next
    },
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
