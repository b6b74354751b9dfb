import { METHOD_DESCRIPTIONS } from '@trestle/contracts/eth-rpc/method-descriptions'
import fc from 'fast-check'
import {
  draftFor,
  draftFromQuery,
  type PlaygroundEvent,
  playgroundForm,
  queryOf,
  reducePlayground,
  switchForm,
  validParams,
} from './playground-form.js'

const ADDRESS = `0x${'ab'.repeat(20)}`

describe(draftFromQuery, () => {
  it('begins with a question that needs nothing', () => {
    expect(validParams(draftFromQuery(new URLSearchParams()))).toEqual([])
  })

  it('reads what somebody has shared into the fields', () => {
    const draft = draftFromQuery(new URLSearchParams({ method: 'eth_getBalance', params: JSON.stringify([ADDRESS, '0x1']) }))
    expect([draft.form, draft.values, validParams(draft)]).toEqual(['fields', [ADDRESS, '0x1'], [ADDRESS, '0x1']])
  })

  it('keeps what does not fit into fields as JSON', () => {
    const draft = draftFromQuery(new URLSearchParams({ method: 'eth_getBalance', params: '["x"]' }))
    expect([draft.form, validParams(draft)]).toEqual(['json', ['x']])
  })

  it('shows what is no JSON as it came, and sends none of it', () => {
    const draft = draftFromQuery(new URLSearchParams({ method: 'eth_getBalance', params: '[' }))
    expect([draft.form, draft.json, validParams(draft)]).toEqual(['json', '[', undefined])
  })

  it('takes a method it does not know with free JSON', () => {
    expect(draftFromQuery(new URLSearchParams({ method: 'eth_new' }))).toMatchObject({ method: { name: 'eth_new' }, form: 'json' })
  })
})

describe(switchForm, () => {
  it('keeps the question', () => {
    const draft = draftFor('eth_getBalance', [ADDRESS, 'latest'])
    expect([switchForm(draft).form, validParams(switchForm(draft)), switchForm(switchForm(draft)).values]).toEqual([
      'json',
      [ADDRESS, 'latest'],
      [ADDRESS, 'latest'],
    ])
  })

  it('stays in JSON where it does not fit into fields', () => {
    const draft = { ...draftFor('eth_getBalance'), form: 'json', json: '["x"]' } as const
    expect(switchForm(draft)).toBe(draft)
  })
})

describe(reducePlayground, () => {
  const START = playgroundForm(new URLSearchParams())
  const run = (...events: PlaygroundEvent[]) => events.reduce(reducePlayground, START)

  it('shows mistakes only once a send was tried', () => {
    const hash = { type: 'chose method', name: 'eth_getBlockByHash' } as const
    expect(run(hash).isTried).toBe(false)
    expect(run(hash, { type: 'submitted' }).isTried).toBe(true)
  })

  it('forgets mistakes when another method is chosen', () => {
    const events = [
      { type: 'chose method', name: 'eth_getBlockByHash' },
      { type: 'submitted' },
      { type: 'chose method', name: 'eth_chainId' },
    ] as const
    expect(run(...events)).toMatchObject({ isTried: false, draft: { method: { name: 'eth_chainId' } } })
  })

  it('takes a valid call without a mistake', () => {
    expect(run({ type: 'submitted' }).isTried).toBe(false)
  })

  it('changes one value and keeps the others', () => {
    const { draft } = run({ type: 'chose method', name: 'eth_getBalance' }, { type: 'typed value', index: 0, value: ADDRESS })
    expect(draft.values).toEqual([ADDRESS, 'latest'])
    expect(validParams(draft)).toEqual([ADDRESS, 'latest'])
  })

  it('reads JSON typed by hand', () => {
    const { draft } = run(
      { type: 'chose method', name: 'eth_getBalance' },
      { type: 'switched form' },
      { type: 'typed JSON', json: '["0x1"' },
    )
    expect([draft.form, validParams(draft)]).toEqual(['json', undefined])
  })

  it('brings an earlier call back into the fields', () => {
    const { draft, isTried } = run({ type: 'submitted' }, { type: 'recalled', method: 'eth_getBalance', params: [ADDRESS, '0x1'] })
    expect([draft.form, draft.values, isTried]).toEqual(['fields', [ADDRESS, '0x1'], false])
  })

  it('makes links that lead back to the same call', () => {
    const fixed = METHOD_DESCRIPTIONS.filter(({ parameters }) => parameters?.every(({ initial }) => initial !== undefined))
    fc.assert(
      fc.property(fc.constantFrom(...fixed), ({ name }) => {
        const { draft } = run({ type: 'chose method', name })
        const params = validParams(draft) ?? []
        const again = draftFromQuery(new URLSearchParams(queryOf(draft, params)))
        expect([again.method.name, validParams(again)]).toEqual([name, params])
      }),
    )
  })
})
