import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconUserPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Invitation, Organization } from '@trestle/contracts/accounts/organizations'
import { useReducer } from 'react'
import { ConfirmButton } from '../parts/confirm-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { changeField, textField } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { SectionTitle } from '../parts/panel.js'
import { SubmitForm } from '../parts/submit-form.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { accountsTexts } from '../texts/accounts.js'
import { canInvite, EMPTY_INVITATION, type InvitationForm, invitationBody } from './invitation-form.js'
import { RoleBadges } from './role-badges.js'
import { RoleFields } from './role-fields.js'

const texts = accountsTexts.organization
const keyOf = (id: string) => ['accounts', 'organizations', id, 'invitations']

export function Invitations({ own }: { own: Organization }) {
  const [opened, { open, close }] = useDisclosure()
  const invitations = useQuery({
    queryKey: keyOf(own.id),
    queryFn: () => platformClient.accounts.organizations.invitations({ params: { id: own.id } }),
    refetchInterval: 30_000,
  })
  return (
    <Stack component="section" gap="xs">
      <Group justify="space-between">
        <SectionTitle>{texts.invitations}</SectionTitle>
        <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={open}>
          {texts.invite}
        </Button>
      </Group>
      <Loaded query={invitations} rows={1}>
        {(rows) => (
          <DataTable
            label={texts.invitations}
            rows={rows}
            columns={columns(own.id)}
            keyOf={({ id }) => id}
            empty={texts.noInvitations}
            minWidth={760}
          />
        )}
      </Loaded>
      <Modal opened={opened} onClose={close} title={texts.invite} centered>
        <InviteForm own={own} onDone={close} />
      </Modal>
    </Stack>
  )
}

function columns(id: string): Column<Invitation>[] {
  return [
    { name: 'email', header: texts.email, cell: ({ email }) => email, width: '2fr' },
    { name: 'roles', header: texts.roles, cell: ({ roles }) => <RoleBadges roles={roles} />, width: '2fr' },
    { name: 'sent', header: texts.sent, cell: ({ createdAt }) => <Time value={createdAt} /> },
    { name: 'expires', header: texts.expires, cell: ({ expiresAt }) => <Time value={expiresAt} /> },
    {
      name: 'withdraw',
      header: texts.actions,
      align: 'right',
      width: '130px',
      cell: (invitation) => <Withdraw id={id} invitation={invitation} />,
    },
  ]
}

function Withdraw({ id, invitation }: { id: string; invitation: Invitation }) {
  const client = useQueryClient()
  async function withdraw() {
    await platformClient.accounts.organizations.withdraw({ params: { id, invitationId: invitation.id } })
    await client.invalidateQueries({ queryKey: keyOf(id) })
  }
  return (
    <ConfirmButton action={texts.withdraw} title={texts.withdrawTitle(invitation.email)} size="xs" onConfirm={withdraw}>
      <Text>{texts.withdrawText}</Text>
    </ConfirmButton>
  )
}

function InviteForm({ own, onDone }: { own: Organization; onDone: () => void }) {
  const client = useQueryClient()
  const [form, dispatch] = useReducer(changeField<InvitationForm>, EMPTY_INVITATION)
  const inviting = useMutation({
    mutationFn: () => platformClient.accounts.organizations.invite({ params: { id: own.id }, body: invitationBody(form) }),
    onSuccess: async ({ email }) => {
      onDone()
      notifications.show({ message: texts.invited(email) })
      await client.invalidateQueries({ queryKey: keyOf(own.id) })
    },
  })
  const { fields, rest } = problemByField(inviting.error, { InvalidEmail: 'email' })
  return (
    <SubmitForm action={texts.send} submission={inviting} problem={rest} disabled={!canInvite(form)} button="right">
      <Text size="sm">{texts.inviteText}</Text>
      <TextInput {...textField(form, dispatch, 'email')} type="email" label={texts.email} required data-autofocus error={fields['email']} />
      <RoleFields own={own} value={form.roles} onChange={(value) => dispatch({ type: 'changed', field: 'roles', value })} />
    </SubmitForm>
  )
}
