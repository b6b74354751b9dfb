import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { seedProjects } from './seed-projects.js'

// The ingress with accounts and two gateways behind it, as far as the seed sees them; etc is not well.
describe(seedProjects, () => {
  let server: Server
  let ingress: string
  let isWelcome = true
  const projects: { id: string; name: string }[] = []
  const changes: string[] = []

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.method !== 'GET') changes.push(`${request.method} ${request.url}`)
      const [status, body] = answer(request)
      response.writeHead(status).end(body === undefined ? '' : JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    ingress = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())

  it('makes a project, once, with a key that does not stay', async () => {
    for (let times = 1; times <= 2; times++) {
      const { urls, notes } = await seedProjects(ingress, ['eth'])
      expect([[...urls], notes]).toEqual([[['eth', `${ingress}/eth/v1/project-1`]], []])
    }
    expect(changes.filter((change) => change === 'POST /eth/projects')).toHaveLength(1)
    expect(changes.filter((change) => change === 'DELETE /accounts/users/me/client-keys/key')).toHaveLength(2)
  })

  it('continues when a gateway refuses, and says so', async () => {
    const { urls, notes } = await seedProjects(ingress, ['etc', 'eth'])
    expect([...urls.keys()]).toEqual(['eth'])
    expect(notes).toEqual([expect.stringContaining('/etc has no demo project. /etc/projects answered 503')])
  })

  it('does nothing without gateways or without the demo user', async () => {
    changes.length = 0
    expect((await seedProjects(ingress, [])).urls.size).toBe(0)
    isWelcome = false
    expect((await seedProjects(ingress, ['eth'])).urls.size).toBe(0)
    expect(changes).toEqual(['POST /accounts/auth'])
  })

  function answer({ method, url, headers }: IncomingMessage): [status: number, body?: unknown] {
    const isClient = headers.authorization === 'Bearer of-client'
    const answers: Record<string, () => [number, unknown?]> = {
      'POST /accounts/auth': () => (isWelcome ? [200, { accessToken: 'of-account' }] : [401]),
      'POST /accounts/users/me/client-keys': () => [200, { clientId: 'key', clientSecret: 'secret' }],
      'DELETE /accounts/users/me/client-keys/key': () => [204],
      'POST /accounts/auth/token': () => [200, { accessToken: 'of-client' }],
      'GET /eth/projects': () => (isClient ? [200, projects] : [401]),
      'POST /eth/projects': () => [201, projects[projects.push({ id: 'project-1', name: 'Demo' }) - 1]],
      'GET /etc/projects': () => [503, { code: 'Unavailable' }],
    }
    return answers[`${method} ${url}`]?.() ?? [404, {}]
  }
})
