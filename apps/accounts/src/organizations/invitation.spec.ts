import fc from 'fast-check'
import { type InvitationRecord, invitationMail, invite, openSince, quotedName, requireInvited } from './invitation.js'

const NOW = new Date('2026-11-21T12:00:00Z')
const HOUR = 3600_000

describe(invite, () => {
  it('is open for 72 hours', () => {
    const invitation = invite({ ...request(), unaccepted: 99 }, NOW)
    expect(invitation.expiresAt).toEqual(new Date(NOW.getTime() + 72 * HOUR))
    expect(openSince(invitation.expiresAt)).toEqual(NOW)
  })

  it('refuses the 101st that nobody accepted', () => {
    expect(() => invite({ ...request(), unaccepted: 100 }, NOW)).toThrow(expect.objectContaining({ code: 'LimitExceeded', status: 409 }))
  })
})

describe(requireInvited, () => {
  const invalid = expect.objectContaining({ code: 'InvalidInvitation', status: 404 })

  it('accepts the recipient until it expires', () => {
    const last = new Date(NOW.getTime() + 72 * HOUR - 1)
    expect(requireInvited(invitation(), 'ann@example.org', last)).toEqual(invitation())
  })

  it('accepts nobody else', () => {
    expect(() => requireInvited(invitation(), 'bob@example.org', NOW)).toThrow(
      expect.objectContaining({ code: 'WrongRecipient', status: 403 }),
    )
  })

  it('does not distinguish an unknown, an expired and an accepted invitation', () => {
    expect(() => requireInvited(undefined, 'ann@example.org', NOW)).toThrow(invalid)
    expect(() => requireInvited(invitation(), 'ann@example.org', invitation().expiresAt)).toThrow(invalid)
    expect(() => requireInvited(invitation({ acceptedAt: NOW }), 'ann@example.org', NOW)).toThrow(invalid)
    // Nor does it tell a stranger that one was accepted.
    expect(() => requireInvited(invitation({ acceptedAt: NOW }), 'bob@example.org', NOW)).toThrow(invalid)
  })
})

describe(invitationMail, () => {
  it('keeps the name of the organization on its line', () => {
    const { text } = invitationMail({
      to: 'ann@example.org',
      organization: 'Acme\n\nYour account is locked: http://evil.test',
      token: 'x',
      publicUrl: 'http://host',
    })
    expect(text.split('\n')[0]).toBe('You are invited to the organization "Acme Your account is locked http evil te…".')
    expect(text.split('\n')).toContain('http://host/app/account/invitation/x')
    expect(text).toContain(' http://host/accounts/invitations/x\n')
  })
})

describe(quotedName, () => {
  it.each([
    ['Acme & Sons', 'Acme & Sons'],
    ['Ärzte-Büro (Zürich)', 'Ärzte-Büro (Zürich)'],
    ['Free $$$ at evil.example', 'Free at evil example'],
    ['a" Click <b>here</b>', 'a Click b here b'],
    ['x'.repeat(41), `${'x'.repeat(40)}…`],
  ])('quotes %j as %j', (name, quoted) => {
    expect(quotedName(name)).toBe(quoted)
  })

  it('leaves nothing of which a mail program makes a link, a line or a tag', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.emailAddress(), fc.string({ unit: 'grapheme' })), (name) => {
        expect(quotedName(name)).not.toMatch(/[.:@/"<>\s]{2}|[.:@/"<>\n\r]/)
        expect([...quotedName(name)].length).toBeLessThanOrEqual(41)
      }),
    )
  })
})

function request() {
  return {
    id: 'invitation-1',
    organizationId: 'org-1',
    email: { address: 'Ann@Example.org', canonical: 'ann@example.org' },
    roles: ['member'] as const,
    unaccepted: 0,
  }
}

function invitation(overrides: Partial<InvitationRecord> = {}): InvitationRecord {
  return { ...invite(request(), NOW), ...overrides }
}
