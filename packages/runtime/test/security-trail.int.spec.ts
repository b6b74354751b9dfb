import { SecurityEvent } from '@trestle/contracts/security-event'
import { bearer, Client } from './client.js'
import { bootTestService, securitySink, sink, USER } from './test-service.js'

const client = new Client()

beforeAll(async () => {
  client.service = await bootTestService()
})

beforeEach(() => {
  securitySink.events.length = 0
  securitySink.failures = 0
  sink.forget()
})

afterAll(() => client.service.stop())

it('records a success before its response', async () => {
  await client.send('DELETE', '/items/a@b.test', { headers: { ...bearer, 'user-agent': 'x'.repeat(500) } })
  expect(securitySink.events).toEqual([
    {
      id: expect.stringMatching(/^security-/),
      createdAt: expect.any(String),
      kind: 'key-deleted',
      outcome: 'success',
      user: USER,
      session: 'session-1',
      clientAddress: '127.0.0.1',
      userAgent: 'x'.repeat(160),
      service: 'test',
      method: 'DELETE',
      route: '/items/{id}',
      target: { id: '[redacted]' },
      status: 204,
      requestId: expect.any(String),
    },
  ])
  expect(SecurityEvent.parse(securitySink.events[0])).toEqual(securitySink.events[0])
})

it('records a failure with the code of its problem', async () => {
  await client.send('DELETE', '/items/none', { headers: bearer })
  expect(securitySink.events).toMatchObject([{ outcome: 'failure', status: 404, code: 'UnknownItem', target: { id: 'none' } }])
})

it('records what is tried without a token under a hash, and only failures of a kind that always happens', async () => {
  await client.send('POST', '/echo', { headers: { 'content-type': 'application/json' }, body: '{}' })
  await client.send('POST', '/echo', { headers: { 'content-type': 'application/json' }, body: '{' })
  expect(securitySink.events).toMatchObject([{ kind: 'token-refused', outcome: 'failure', status: 400, attempted: 'hash', target: {} }])
})

it('does not record what was refused for want of a token, nor what no endpoint declares', async () => {
  await client.send('DELETE', '/items/5')
  await client.get('/items')
  expect(securitySink.events).toEqual([])
})

it('does not acknowledge a success whose record cannot be stored, and counts it', async () => {
  securitySink.failures = 1000
  const { status, text } = await client.send('DELETE', '/items/5', { headers: bearer })
  expect([status, JSON.parse(text).code]).toEqual([503, 'ActivityNotRecorded'])
  const metrics = await fetch(`${client.service.internalUrl}/metrics`).then((answer) => answer.text())
  expect(metrics).toContain('security_events_lost_total{reason="storage"} 2')
  expect(metrics).toContain('security_events_total{kind="key-deleted",outcome="failure"} 2')
})
