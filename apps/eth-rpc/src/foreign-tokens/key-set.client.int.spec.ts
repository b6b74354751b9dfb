import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { startIdentityProvider } from '../../test/identity-provider.js'
import { KeySetClient } from './key-set.client.js'

let provider: Awaited<ReturnType<typeof startIdentityProvider>>
beforeAll(async () => {
  provider = await startIdentityProvider()
})
afterAll(() => provider.stop())
afterEach(() => {
  provider.state.respond = undefined
})

const client = new KeySetClient(true, 500)
const fetchKeys = (url = provider.tokens.jwksUrl) => client.fetch(url)

describe(KeySetClient, () => {
  it('fetches a key set over TLS, by name and by address', async () => {
    const expected = JSON.stringify({ keys: provider.state.published })
    expect(await fetchKeys()).toBe(expected)
    expect(await fetchKeys(`https://localhost:${provider.port}/keys`)).toBe(expected)
  })

  it('never connects to this machine, or a private network, by name or by address', async () => {
    const { fetched } = provider.state
    const guarded = new KeySetClient(false, 500)
    for (const host of ['127.0.0.1', '[::1]', '2130706433', '10.0.0.1', '169.254.169.254'])
      await expect(guarded.fetch(`https://${host}:${provider.port}/keys`)).rejects.toThrow('it may not be fetched')
    await expect(guarded.fetch(`https://localhost:${provider.port}/keys`)).rejects.toThrow('localhost is internal')
    await expect(client.fetch(`http://127.0.0.1:${provider.port}/keys`)).rejects.toThrow('it may not be fetched')
    expect(provider.state.fetched).toBe(fetched)
  })

  it('believes no certificate of another host, or of nobody', async () => {
    await expect(fetchKeys(`https://127.0.0.2:${provider.port}/keys`)).rejects.toThrow()
  })

  it('follows no redirect', async () => {
    const { fetched } = provider.state
    provider.state.respond = (_, response) => response.writeHead(302, { location: provider.tokens.jwksUrl }).end()
    await expect(fetchKeys()).rejects.toThrow('it was answered with 302')
    expect(provider.state.fetched).toBe(fetched + 1)
  })

  it.each([
    ['an endless body', (write: (text: string) => boolean) => setInterval(() => write('x'.repeat(65_536)), 1).unref()],
    ['a huge one', (write: (text: string) => boolean) => write('x'.repeat(1_000_000))],
  ])('reads no more than 64 KiB of %s', async (_, send) => {
    let timer: unknown
    provider.state.respond = (_request, response) => {
      timer = send((text) => response.write(text))
    }
    await expect(fetchKeys()).rejects.toThrow('it is larger than 65536 bytes')
    if (timer instanceof Object) clearInterval(timer as NodeJS.Timeout)
  })

  it.each([
    ['never answers', () => undefined],
    ['sends a byte now and then', (write: (text: string) => boolean) => setInterval(() => write(' '), 50).unref()],
  ])('waits no longer than it is to, for a host that %s', async (_, send) => {
    provider.state.respond = (_request, response) => void send((text) => response.write(text))
    const begun = performance.now()
    await expect(fetchKeys()).rejects.toThrow('it took too long')
    expect(performance.now() - begun).toBeLessThan(2_000)
  })

  it('waits no longer for a host that accepts and says nothing', async () => {
    const silent: Server = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    await expect(fetchKeys(`https://127.0.0.1:${port}/keys`)).rejects.toThrow('it took too long')
    silent.close()
  })
})
