import { FakeUpstream } from '../../test/fake-upstream.js'
import { JsonHttpClient } from './json-http.client.js'

let upstream: FakeUpstream
let http: JsonHttpClient

beforeEach(async () => {
  upstream = await FakeUpstream.start()
  http = new JsonHttpClient(`${upstream.url.replace('//', '//us%40er:pass@')}/base/`, 'node 1')
})
afterEach(async () => {
  await http.close()
  await upstream.stop()
})

describe(JsonHttpClient, () => {
  it("requests paths below that of its URL, with the URL's credentials", async () => {
    await http.request({ path: '/x?y=1' })
    expect(upstream.asked).toMatchObject([{ path: '/base/x?y=1', authorization: `Basic ${Buffer.from('us@er:pass').toString('base64')}` }])
  })

  it('reads no more than the limit', async () => {
    upstream.takeOver = (response) => {
      const more = () => response.write('x'.repeat(65_536), (error) => !error && more())
      more()
    }
    await expect(http.request({ path: '/', maxBytes: 1_000_000 })).rejects.toThrow('node 1 sent more than 1000000 bytes.')
  })

  it('waits no longer than the limit, neither for the first byte nor for the last', async () => {
    upstream.takeOver = () => {}
    await expect(http.request({ path: '/', timeoutMs: 50 })).rejects.toThrow('node 1 did not answer within 0.05 s.')
    upstream.takeOver = (response) => response.write('{')
    await expect(http.request({ path: '/', timeoutMs: 50 })).rejects.toThrow('node 1 did not answer within 0.05 s.')
  })

  it('reveals neither the URL nor the credentials', async () => {
    await upstream.stop()
    const error = await http.request({ path: '/', headers: { authorization: 'Bearer secret' } }).catch((error) => error)
    expect(error.message).toBe('node 1 cannot be reached: ECONNREFUSED.')
    upstream = await FakeUpstream.start()
  })
})
