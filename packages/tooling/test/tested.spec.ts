import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const tool = new URL('../../../tools/kubernetes/tested.mjs', import.meta.url)
const { digestOf, isTested, noteTested, TESTED } = await import(tool.href)

describe('what the suite against a real Kubernetes has passed with', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tested-'))
    mkdirSync(join(root, 'apps/nodes/test/kubernetes'), { recursive: true })
    mkdirSync(join(root, 'apps/nodes/src/drivers/kubernetes'), { recursive: true })
    write('driver.ts', 'one')
    write('pod.ts', 'two')
    write('pod.spec.ts', 'of no matter')
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('is known by all of its files, in whatever order they are named', () => {
    const digest = digestOf(root, TESTED)
    expect(digestOf(root, TESTED.toReversed())).toBe(digest)
    write('pod.spec.ts', 'still of no matter')
    expect(digestOf(root, TESTED)).toBe(digest)
  })

  it.each([
    ['another content', () => write('pod.ts', 'three')],
    ['another name', () => renameSync(path('pod.ts'), path('pods.ts'))],
    ['one file more', () => write('new.ts', '')],
    ['one file less', () => rmSync(path('pod.ts'))],
    ['the end of one file at the beginning of the next', () => write('driver.ts', 'onetwo') ?? write('pod.ts', '')],
  ])('is another with %s', (_, change) => {
    const digest = digestOf(root, TESTED)
    change()
    expect(digestOf(root, TESTED)).not.toBe(digest)
  })

  it('is forgotten with the next change', () => {
    expect(isTested(root)).toBe(false)
    noteTested(root, digestOf(root, TESTED))
    expect(isTested(root)).toBe(true)
    write('pod.ts', 'three')
    expect(isTested(root)).toBe(false)
  })

  function path(name: string): string {
    return join(root, 'apps/nodes/src/drivers/kubernetes', name)
  }

  function write(name: string, content: string): void {
    writeFileSync(path(name), content)
  }
})
