import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Member, Organization, RoleDefinition } from '@trestle/contracts/accounts/organizations'
import { useReducer } from 'react'
import { ConfirmButton } from '../parts/confirm-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { changeField } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { SectionTitle } from '../parts/panel.js'
import { SubmitForm } from '../parts/submit-form.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'
import { organizationTexts } from '../texts/organization.js'
import { RoleBadges } from './role-badges.js'
import { RoleFields } from './role-fields.js'
import { may, mayChangeMember } from './roles.js'
import { hasRole, type RolesForm, rolesBody, rolesForm } from './roles-form.js'
import { useRoles } from './use-roles.js'

const texts = accountsTexts.organization

export function Members({ own }: { own: Organization }) {
  const members = useQuery({
    queryKey: ['accounts', 'organizations', own.id, 'members'],
    queryFn: () => platformClient.accounts.organizations.members({ params: { id: own.id } }),
    refetchInterval: 30_000,
  })
  const roles = useRoles(own.id)
  const me = useQuery({ queryKey: ['accounts', 'me'], queryFn: () => platformClient.accounts.users.me() })
  return (
    <Stack component="section" gap="xs">
      <SectionTitle>{texts.members}</SectionTitle>
      <Loaded query={members}>
        {(rows) => (
          <DataTable
            label={texts.members}
            rows={rows}
            columns={columns(own, roles, me.data?.id)}
            keyOf={({ userId }) => userId}
            minWidth={may(own, 'members:write') ? 860 : 600}
          />
        )}
      </Loaded>
    </Stack>
  )
}

function columns(own: Organization, roles: readonly RoleDefinition[], me: string | undefined): Column<Member>[] {
  const shown: Column<Member>[] = [
    { name: 'member', header: texts.member, cell: (member) => <Named member={member} isMe={member.userId === me} />, width: '2fr' },
    { name: 'roles', header: texts.roles, cell: ({ roles }) => <RoleBadges roles={roles} />, width: '2fr' },
    { name: 'joined', header: texts.joined, cell: ({ joinedAt }) => <Time value={joinedAt} /> },
  ]
  if (!may(own, 'members:write')) return shown
  const cell = (member: Member) =>
    mayChangeMember(own, member.roles, roles) && <Actions own={own} member={member} isMe={member.userId === me} />
  return [...shown, { name: 'actions', header: texts.actions, align: 'right', width: '270px', cell }]
}

function Named({ member, isMe }: { member: Member; isMe: boolean }) {
  return (
    <Stack gap={0}>
      <Group gap={6}>
        <Text fw={600} inherit>
          {member.displayName}
        </Text>
        {isMe && (
          <Badge size="sm" variant="light" tt="none">
            {texts.you}
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {member.serviceAccount ? organizationTexts.serviceAccount : member.email}
      </Text>
    </Stack>
  )
}

function Actions({ own, member, isMe }: { own: Organization; member: Member; isMe: boolean }) {
  const client = useQueryClient()
  async function remove() {
    await platformClient.accounts.organizations.removeMember({ params: { id: own.id, userId: member.userId } })
    await client.invalidateQueries({ queryKey: ['accounts', 'organizations'] })
  }
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <ChangeRoles own={own} member={member} />
      {!isMe && (
        <ConfirmButton action={texts.remove} title={texts.removeTitle(member.displayName)} size="xs" onConfirm={remove}>
          <Text>{texts.removeText}</Text>
        </ConfirmButton>
      )}
    </Group>
  )
}

function ChangeRoles({ own, member }: { own: Organization; member: Member }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {texts.change}
      </Button>
      <Modal opened={opened} onClose={close} title={texts.changeTitle(member.displayName)} centered>
        <RolesFields own={own} member={member} onDone={close} />
      </Modal>
    </>
  )
}

function RolesFields({ own, member, onDone }: { own: Organization; member: Member; onDone: () => void }) {
  const client = useQueryClient()
  const [form, dispatch] = useReducer(changeField<RolesForm>, member, rolesForm)
  const changing = useMutation({
    mutationFn: () =>
      platformClient.accounts.organizations.changeRoles({ params: { id: own.id, userId: member.userId }, body: rolesBody(form) }),
    onSuccess: async () => {
      onDone()
      await client.invalidateQueries({ queryKey: ['accounts', 'organizations'] })
    },
  })
  return (
    <SubmitForm action={texts.save} submission={changing} problem={changing.error} disabled={!hasRole(form)} button="right">
      <RoleFields
        own={own}
        value={form.roles}
        onChange={(value) => dispatch({ type: 'changed', field: 'roles', value })}
        isPerson={!member.serviceAccount}
      />
    </SubmitForm>
  )
}
