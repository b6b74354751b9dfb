import type { CreatedProjectKey, ProjectKey } from '@trestle/contracts/eth-rpc/project-keys'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { partial } from '../../testing/partial.js'
import { rendered } from '../../testing/rendered.js'
import { CreatedProjectKeyNotice } from './project-key-dialogs.js'
import { ProjectKeysTab } from './project-keys-tab.js'

const project = partial<Project>({ id: 'p'.repeat(32), name: 'wallet' })
const KEY: ProjectKey = { number: 3, name: 'ios', lastFour: 'beef', createdAt: '2026-03-01T12:00:00.000Z' }

const tab = (...keys: readonly ProjectKey[]) =>
  rendered(<ProjectKeysTab project={project} />, { context: 'eth', answers: [[['ethereum', 'project-keys', 'eth', project.id], keys]] })

describe(ProjectKeysTab, () => {
  it('invites to create the first key', () => {
    const page = tab()
    expect(page.text).toContain('No keys yet')
    expect(page.text).toContain('Create a key')
  })

  it('lists keys by name and last digits, with their last use and expiry', () => {
    const used = { lastUsedAt: '2026-03-02T12:00:00.000Z', lastUsedFrom: '192.0.2.7' }
    const [, first, second] = tab({ ...KEY, ...used, expiresAt: '2026-03-03T00:00:00.000Z' }, { ...KEY, number: 2, name: 'web' }).rows
    expect(first?.[0]).toBe('ios ends in beef')
    expect(first?.[2]).toContain('from 192.0.2.7')
    expect(first?.[3]).toBe('expired')
    expect([second?.[2], second?.[3]]).toEqual(['never', 'never'])
  })
})

describe(CreatedProjectKeyNotice, () => {
  it('shows both URLs, and that they are not shown again', () => {
    const created: CreatedProjectKey = { ...KEY, key: 'b'.repeat(32), url: 'https://trestle.example/eth/v1/secret' }
    const page = rendered(<CreatedProjectKeyNotice created={created} onDone={() => undefined} />)
    expect(page.text).toContain('https://trestle.example/eth/v1/secret')
    expect(page.text).toContain('wss://trestle.example/eth/v1/secret')
    expect(page.text).toContain('It cannot be shown again.')
  })
})
