import { draftFor, draftFromQuery, switchForm, validParams } from './playground-form.js'

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
