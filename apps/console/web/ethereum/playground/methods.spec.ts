import { readFile } from 'node:fs/promises'
import { PLAYGROUND_METHODS } from './methods.js'

describe('the methods of the playground', () => {
  it('are those that the gateway serves over HTTP', async () => {
    const table = await readFile(new URL('../../../../eth-rpc/src/methods/method-table.ts', import.meta.url), 'utf8')
    const rows = table.split('\n').filter((row) => row.includes("name: '") && !row.includes('...subscriptions'))
    const served = rows.map((row) => /name: '(\w+)'/.exec(row)?.[1])
    expect(PLAYGROUND_METHODS.map(({ name }) => name).toSorted()).toEqual(served.toSorted())
  })
})
