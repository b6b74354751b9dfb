import { BeaconHarness, type BlockJson } from './beacon-harness.js'

interface Answer<T> {
  readonly execution_optimistic: boolean
  readonly finalized: boolean
  readonly data: T
}

let harness: BeaconHarness
beforeAll(async () => {
  harness = await BeaconHarness.open()
})
afterAll(() => harness.close())

// What Prysm 7 did on a chain of its own, and what hides behind friendlier answers.
describe('The dev beacon, like Prysm', () => {
  it('serves an orphan by its slot and by its root, as final and optimistic, and the chain goes on without it', async () => {
    await harness.advance(1)
    const [parent] = await roots('8')
    await harness.post('/dev/orphan')
    await harness.post('/dev/advance', { slots: 2 })
    await harness.advance(4)
    const [orphan] = await roots('9')
    for (const id of ['9', orphan])
      expect(await harness.get<Answer<BlockJson>>(`/eth/v2/beacon/blocks/${id}`)).toMatchObject({
        status: 200,
        body: { execution_optimistic: true, finalized: true, data: { message: { slot: '9' } } },
      })
    const [root, next] = await roots('10')
    expect(root).not.toBe(orphan)
    expect(next).toBe(parent)
  })

  it('refuses the rewards of all validators for one that did not exist', async () => {
    const path = '/eth/v1/beacon/rewards/attestations/2'
    expect(await harness.post(path, ['1', '2'])).toMatchObject({ status: 200 })
    expect(await harness.post(path, ['1', '64'])).toMatchObject({ status: 400, body: { message: 'No validator index found for 64.' } })
  })

  it('can lose the chain and not say that it is syncing', async () => {
    const syncing = () => harness.data<{ head_slot: string; sync_distance: string; is_syncing: boolean }>('/eth/v1/node/syncing')
    const { head_slot } = await syncing()
    await harness.post('/dev/freeze', { frozen: true })
    await harness.advance(3)
    expect(await syncing()).toMatchObject({ head_slot, sync_distance: '24', is_syncing: false })
    expect((await roots('head'))[0]).toBe((await roots(head_slot))[0])
    await harness.post('/dev/freeze', { frozen: false })
    expect(await syncing()).toMatchObject({ sync_distance: '0' })
  })
})

/** Of a block and its parent. */
async function roots(id: string): Promise<[string, string]> {
  type Header = { root: string; header: { message: { parent_root: string } } }
  const { root, header } = await harness.data<Header>(`/eth/v1/beacon/headers/${id}`)
  return [root, header.message.parent_root]
}
