import { FilterPlaces } from './filter-places.engine.js'
import type { AllowedCall } from './rpc-frame.js'

describe(FilterPlaces, () => {
  it('tells where a filter lives, in its own workload only, for ten minutes from when it was last asked', () => {
    const places = new FilterPlaces()
    places.remember({ workload: 'h', member: 'm' }, Buffer.from('[{"id":1,"result":"0x1"},{"id":2,"error":{}},null]'), 0)
    expect(places.placeOf('h', [poll('0x1')], 600_000)).toBe('m')
    expect(places.placeOf('other', [poll('0x1')], 1)).toBeUndefined()
    expect(places.placeOf('h', [poll('0x2')], 1)).toBeUndefined()
    expect(places.placeOf('h', [poll('0x1')], 1_200_000)).toBe('m')
    expect(places.placeOf('h', [poll('0x1')], 1_800_001)).toBeUndefined()
  })

  it('keeps no more than it may', () => {
    const places = new FilterPlaces(2)
    for (const id of ['0x1', '0x2', '0x3']) places.remember({ workload: 'h', member: 'm' }, Buffer.from(JSON.stringify({ result: id })), 0)
    expect(['0x1', '0x2', '0x3'].map((id) => places.placeOf('h', [poll(id)], 1))).toEqual([undefined, 'm', 'm'])
  })

  it.each(['', '<html>', '7', '{"result":7}'])('finds no filter in %j', (answer) => {
    const places = new FilterPlaces()
    places.remember({ workload: 'h', member: 'm' }, Buffer.from(answer), 0)
    expect(places.placeOf('h', [poll('7'), { ...poll('7'), params: undefined }], 1)).toBeUndefined()
  })
})

function poll(id: string): AllowedCall {
  return { method: 'eth_getFilterChanges', kind: 'filter', params: [id] }
}
