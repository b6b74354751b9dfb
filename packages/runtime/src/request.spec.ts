import type { IncomingMessage } from 'node:http'
import Fastify from 'fastify'
import { clientAddresses, clientAddressOf } from './request.js'

describe(clientAddressOf, () => {
  it.each([
    [['10.0.0.1', '203.0.113.9'], '203.0.113.9'],
    [['10.0.0.1', 'garbage'], '10.0.0.1'],
    [['10.0.0.1', '"><script>', ''], '10.0.0.1'],
    [['::ffff:203.0.113.9'], '203.0.113.9'],
    [['10.0.0.1', 'fe80::1%eth0'], 'fe80::1'],
    [['2001:db8::1'], '2001:db8::1'],
  ])('is, for the hops %j, %s', (ips, address) => {
    expect(clientAddressOf({ ip: ips.at(-1) ?? '', ips })).toBe(address)
  })
})

describe(clientAddresses, () => {
  it.each([[['loopback']], [[]], [['10.0.0.0/8']], [['loopback', '10.0.0.0/8']]])(
    'is what Fastify says with the trusted proxies %j',
    async (trusted) => {
      const fastify = Fastify({ trustProxy: trusted })
      const addressOf = clientAddresses(trusted)
      const seen: string[][] = []
      fastify.get('/', async (request) => {
        seen.push([addressOf(request.raw), clientAddressOf(request)])
      })
      for (const remoteAddress of ['127.0.0.1', '203.0.113.1'])
        for (const forwarded of [undefined, '198.51.100.7', '198.51.100.7, 10.1.1.1', 'garbage', '198.51.100.7, garbage', ''])
          await fastify.inject({ path: '/', remoteAddress, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } })
      expect(seen).toHaveLength(12)
      for (const [ours, theirs] of seen) expect(ours).toBe(theirs)
    },
  )

  it('is no address for a connection that has closed', () => {
    const closed = { headers: {}, socket: {} } as IncomingMessage
    expect(clientAddresses([])(closed)).toBe('unknown')
  })
})
