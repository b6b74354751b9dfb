import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

describe('turbo.json', () => {
  // A clean checkout has no generated code: a missing dependency shows only there.
  it('checks types after every package has generated its code', () => {
    const { tasks } = readJson('turbo.json')
    const generating = globSync('{apps,packages}/*/package.json', { cwd: root })
      .map(readJson)
      .filter(({ scripts }) => scripts?.generate)
      .map(({ name }) => `${name}#generate`)
    expect(generating.length).toBeGreaterThan(1)
    expect(tasks['//#types'].dependsOn.toSorted()).toEqual(generating.toSorted())
  })
})

function readJson(path: string) {
  const comments = /^\s*\/\/ .*$/gm
  return JSON.parse(readFileSync(join(root, path), 'utf8').replaceAll(comments, ''))
}
