import type { RunningService } from '../src/boot-service.js'
import { InternalRoutes } from '../src/internal-server.js'
import { Readiness } from '../src/readiness.js'
import { bootTestService } from './test-service.js'

let service: RunningService

beforeAll(async () => {
  service = await bootTestService()
})

afterAll(() => service.stop())

it('reports that it is alive, and whether it is ready', async () => {
  expect(await get('/livez')).toEqual({ status: 200, body: { status: 'alive' } })
  expect(await get('/readyz')).toEqual({ status: 200, body: { ready: true, checks: {} } })
  service.app.get(Readiness).add('postgres', () => Promise.reject(new Error('away')))
  expect(await get('/readyz')).toEqual({
    status: 503,
    body: { ready: false, checks: { postgres: 'failed' }, reasons: { postgres: 'away' } },
  })
  expect(await get('/livez')).toEqual({ status: 200, body: { status: 'alive' } })
})

it('counts requests by method, route and status', async () => {
  await fetch(`${service.url}/items/5`)
  const metrics = await fetch(`${service.internalUrl}/metrics`).then((answer) => answer.text())
  expect(metrics).toContain('http_request_duration_seconds_count{method="GET",route="/items/:id",status="401"} 1')
})

it('serves the routes that a service adds', async () => {
  service.app.get(InternalRoutes).add('/since', async (url) => ({ since: url.searchParams.get('x') }))
  expect(await get('/since?x=1')).toEqual({ status: 200, body: { since: '1' } })
})

it('answers 500 when such a route fails, and keeps serving', async () => {
  service.app.get(InternalRoutes).add('/broken', async () => {
    throw new Error('inside')
  })
  expect(await get('/broken')).toEqual({ status: 500, body: { status: 'failed' } })
  expect(await get('/nothing')).toEqual({ status: 404, body: { status: 'unknown' } })
})

it('serves none of this in public', async () => {
  for (const path of ['/livez', '/readyz', '/metrics']) expect((await fetch(service.url + path)).status).toBe(404)
})

async function get(path: string) {
  const answer = await fetch(service.internalUrl + path)
  return { status: answer.status, body: await answer.json() }
}
