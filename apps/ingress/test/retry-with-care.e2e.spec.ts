import type { Socket } from 'node:net'
import { closeAll, echo, rawUpstream, refusingAddress, startTestIngress, upstream } from './ingress-under-test.js'

afterEach(closeAll)

describe('several replicas', () => {
  it('take turns', async () => {
    const replicas = await Promise.all(['a', 'b'].map((name) => upstream((_, response) => response.end(name))))
    const { url } = await startTestIngress({ accounts: replicas.map((replica) => replica.url) })
    const answers: string[] = []
    for (let round = 0; round < 4; round++) answers.push(await (await fetch(`${url}/accounts`)).text())
    expect(answers).toEqual(['a', 'b', 'a', 'b'])
  })

  it('replace one that refuses the connection, with the whole body', async () => {
    const living = await upstream(echo)
    const { url } = await startTestIngress({ accounts: [await refusingAddress(), living.url] })
    const response = await fetch(`${url}/accounts`, { method: 'POST', body: 'all of it' })
    expect(await response.json()).toMatchObject({ method: 'POST', body: 'all of it' })
  })

  it('are preferred to one that is closing its connections', async () => {
    const leaving = await upstream((_, response) => response.setHeader('connection', 'close').end('leaving'))
    const staying = await upstream((_, response) => response.end('staying'))
    const { url } = await startTestIngress({ accounts: [leaving.url, staying.url] })
    const answers: string[] = []
    for (let round = 0; round < 4; round++) answers.push(await (await fetch(`${url}/accounts`)).text())
    expect(answers).toEqual(['leaving', 'staying', 'staying', 'staying'])
  })
})

describe('a kept connection that dies as it is used again', () => {
  it.each(['GET', 'PUT', 'DELETE'])('is replaced once for a %s without a body', async (method) => {
    const { url, requests } = await forgetful()
    await (await fetch(`${url}/accounts`)).text()
    const { status } = await fetch(`${url}/accounts`, { method })
    expect([status, requests()]).toEqual([200, 3])
  })

  it.each([
    ['a POST, which might be done twice', { method: 'POST' }],
    ['a PUT with a body, which is gone', { method: 'PUT', body: 'x' }],
  ])('is not replaced for %s', async (_, init) => {
    const { url, requests } = await forgetful()
    await (await fetch(`${url}/accounts`)).text()
    const { status } = await fetch(`${url}/accounts`, init)
    expect([status, requests()]).toEqual([502, 2])
  })

  it('is not replaced twice', async () => {
    const { url, requests } = await forgetful(1)
    await (await fetch(`${url}/accounts`)).text()
    const { status } = await fetch(`${url}/accounts`)
    expect([status, requests()]).toEqual([502, 3])
  })

  it('is not replaced when part of an answer has arrived', async () => {
    const { url, requests } = await forgetful(Number.POSITIVE_INFINITY, 'HTTP/1.1 2')
    await (await fetch(`${url}/accounts`)).text()
    const { status } = await fetch(`${url}/accounts`)
    expect([status, requests()]).toEqual([502, 2])
  })
})

it('does not repeat a GET that a new connection lost', async () => {
  let requests = 0
  const accounts = await rawUpstream((socket) => {
    socket.once('data', () => {
      requests++
      socket.destroy()
    })
  })
  const { url } = await startTestIngress({ accounts })
  expect([(await fetch(`${url}/accounts`)).status, requests]).toEqual([502, 1])
})

it('tries another replica once where a new connection is lost', async () => {
  const dying = await rawUpstream((socket) => void socket.once('data', () => socket.destroy()))
  const living = await upstream((_, response) => response.end('living'))
  const { url } = await startTestIngress({ accounts: [dying, living.url] })
  expect(await (await fetch(`${url}/accounts`)).text()).toBe('living')
  const other = await rawUpstream((socket) => void socket.once('data', () => socket.destroy()))
  const { url: doomed } = await startTestIngress({ accounts: [dying, other] })
  expect((await fetch(`${doomed}/accounts`)).status).toBe(502)
  expect((await fetch(`${url}/accounts`, { method: 'POST', body: 'once' })).status).toBe(200)
})

/** A service that answers the first request of a connection, and dies at the second; `good`: how many connections do so, the others die at once. */
async function forgetful(good = Number.POSITIVE_INFINITY, lastWords = ''): Promise<{ url: string; requests: () => number }> {
  let connections = 0
  let requests = 0
  const accounts = await rawUpstream((socket: Socket) => {
    const answers = ++connections <= good
    socket.once('data', () => {
      requests++
      if (!answers) return socket.destroy()
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      socket.once('data', () => {
        requests++
        if (lastWords) socket.end(lastWords)
        else socket.resetAndDestroy()
      })
    })
  })
  const { url } = await startTestIngress({ accounts })
  return { url, requests: () => requests }
}
