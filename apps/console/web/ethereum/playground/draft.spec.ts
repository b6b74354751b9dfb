import { draftIn, draftOf, paramsIfRight, turned } from './draft.js'

const ADDRESS = `0x${'ab'.repeat(20)}`

describe(draftIn, () => {
  it('begins with a question that needs nothing', () => {
    expect(paramsIfRight(draftIn(new URLSearchParams()))).toEqual([])
  })

  it('reads what somebody has shared into the fields', () => {
    const draft = draftIn(new URLSearchParams({ method: 'eth_getBalance', params: JSON.stringify([ADDRESS, '0x1']) }))
    expect([draft.form, draft.values, paramsIfRight(draft)]).toEqual(['fields', [ADDRESS, '0x1'], [ADDRESS, '0x1']])
  })

  it('keeps what does not fit into fields as JSON', () => {
    const draft = draftIn(new URLSearchParams({ method: 'eth_getBalance', params: '["x"]' }))
    expect([draft.form, paramsIfRight(draft)]).toEqual(['json', ['x']])
  })

  it('shows what is no JSON as it came, and sends none of it', () => {
    const draft = draftIn(new URLSearchParams({ method: 'eth_getBalance', params: '[' }))
    expect([draft.form, draft.json, paramsIfRight(draft)]).toEqual(['json', '[', undefined])
  })

  it('takes a method it does not know with free JSON', () => {
    expect(draftIn(new URLSearchParams({ method: 'eth_new' }))).toMatchObject({ method: { name: 'eth_new' }, form: 'json' })
  })
})

describe(turned, () => {
  it('keeps the question', () => {
    const draft = draftOf('eth_getBalance', [ADDRESS, 'latest'])
    expect([turned(draft).form, paramsIfRight(turned(draft)), turned(turned(draft)).values]).toEqual([
      'json',
      [ADDRESS, 'latest'],
      [ADDRESS, 'latest'],
    ])
  })

  it('stays in JSON where it does not fit into fields', () => {
    const draft = { ...draftOf('eth_getBalance'), form: 'json', json: '["x"]' } as const
    expect(turned(draft)).toBe(draft)
  })
})
