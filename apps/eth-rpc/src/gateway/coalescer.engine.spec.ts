import { setImmediate } from 'node:timers/promises'
import { shortChain } from '../../test/small-chain.js'
import { resolveCall } from '../cache/resolved-call.js'
import type { CallSignal } from '../call-signal.js'
import { type CallOutcome, resultOf } from '../framing/outcome.js'
import { FollowedChain } from '../heads/followed-chain.js'
import { methodNamed } from '../methods/method.js'
import { Coalescer } from './coalescer.engine.js'

describe(Coalescer, () => {
  it('sends equal calls upstream once, and again after the answer', async () => {
    const { share, asked } = desk()
    const both = [share('0x1'), share('0x1')]
    asked[0]?.resolve(resultOf('one'))
    const [first, second] = await Promise.all(both)
    expect(first).toBe(second)
    expect(asked).toHaveLength(1)
    void share('0x1')
    expect(asked).toHaveLength(2)
  })

  it('keeps different calls apart', async () => {
    const { share, asked } = desk()
    const both = [share('0x1'), share('0x2')]
    asked[1]?.resolve(resultOf('two'))
    asked[0]?.resolve(resultOf('one'))
    expect((await Promise.all(both)).map(({ json }) => json.toString())).toEqual(['"one"', '"two"'])
  })

  it('does not share calls that must run each time', () => {
    const { share, asked } = desk()
    void share('0x1', undefined, 'eth_sendRawTransaction')
    void share('0x1', undefined, 'eth_sendRawTransaction')
    expect(asked).toHaveLength(2)
  })

  it('does not share what is pending: it may have been asked before a transaction was sent', () => {
    const { share, asked } = desk()
    void share(['0x1', 'pending'], undefined, 'eth_getTransactionCount')
    void share(['0x1', 'pending'], undefined, 'eth_getTransactionCount')
    expect(asked).toHaveLength(2)
  })

  it('does not join what was asked before a transaction was sent', () => {
    const { share, asked, coalescer } = desk()
    void share('0x1')
    coalescer.forget()
    void share('0x1')
    expect(asked).toHaveLength(2)
  })

  it('lets one caller leave without affecting the others', async () => {
    const { share, asked } = desk()
    const leaving = new AbortController()
    const gone = share('0x1', leaving.signal)
    const stays = share('0x1', new AbortController().signal)
    leaving.abort(new Error('gone'))
    await expect(gone).rejects.toThrow('gone')
    expect(asked[0]?.signal?.aborted).toBe(false)
    asked[0]?.resolve(resultOf('one'))
    expect((await stays).json.toString()).toBe('"one"')
  })

  it('aborts the upstream call when the last caller leaves, and starts a new one for the next', async () => {
    const { share, asked } = desk()
    const callers = [new AbortController(), new AbortController()]
    const gone = callers.map(({ signal }) => share('0x1', signal))
    for (const caller of callers) caller.abort(new Error('gone'))
    await Promise.allSettled(gone)
    expect(asked[0]?.signal?.aborted).toBe(true)
    const next = share('0x1')
    asked[0]?.reject(new Error('aborted'))
    asked[1]?.resolve(resultOf('one'))
    expect((await next).json.toString()).toBe('"one"')
  })

  it('sends nothing upstream for a caller that has already left', async () => {
    const { share, asked } = desk()
    await expect(share('0x1', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    expect(asked).toHaveLength(0)
  })

  it('fails every waiting caller when no upstream can answer, and tries again for the next', async () => {
    const { share, asked, coalescer } = desk()
    const both = [share('0x1'), share('0x1', new AbortController().signal)]
    asked[0]?.reject(new Error('nobody can answer'))
    for (const { status } of await Promise.allSettled(both)) expect(status).toBe('rejected')
    await setImmediate()
    expect(coalescer.size).toBe(0)
    void share('0x1')
    expect(asked).toHaveLength(2)
  })

  it('does not join a call that began before the current head', () => {
    const { share, asked, chain } = desk()
    void share('0x1')
    const longer = shortChain(21)
    chain.apply({ removed: [], added: [longer.head!] })
    void share('0x1')
    expect(asked).toHaveLength(2)
  })

  it('does not join a call that hangs', async () => {
    const { share, asked, clock } = desk()
    const hangs = share('0x1')
    clock.now = 999
    void share('0x1')
    expect(asked).toHaveLength(1)
    clock.now = 1000
    const next = share('0x1')
    expect(asked).toHaveLength(2)
    // The one that was left behind does not take the place of the new one as it ends.
    asked[0]?.resolve(resultOf('late'))
    await hangs
    void share('0x1')
    expect(asked).toHaveLength(2)
    asked[1]?.resolve(resultOf('one'))
    expect((await next).json.toString()).toBe('"one"')
  })
})

interface Asked extends PromiseWithResolvers<CallOutcome> {
  readonly signal?: CallSignal
}

function desk() {
  const chain: FollowedChain = shortChain(20)
  const clock = { now: 0 }
  const coalescer = new Coalescer(chain, () => clock.now)
  const asked: Asked[] = []
  const ask = (signal?: CallSignal) => {
    asked.push({ ...Promise.withResolvers<CallOutcome>(), signal })
    return asked.at(-1)!.promise
  }
  const share = (params: string | readonly string[], signal?: AbortSignal, name = 'eth_getTransactionByHash') =>
    coalescer.share(resolveCall({ method: methodNamed(name)!, params: [params].flat() }, chain), ask, signal)
  return { share, asked, chain, clock, coalescer }
}
