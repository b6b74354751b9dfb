import { Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import type { Organization, RoleDefinition } from '@trestle/contracts/accounts/organizations'
import { PERMISSIONS } from '@trestle/contracts/permissions'
import { ConfirmButton } from '../parts/confirm-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { SectionTitle } from '../parts/panel.js'
import { platformClient } from '../platform/client.js'
import { organizationTexts } from '../texts/organization.js'
import { RoleEditorButton } from './role-editor.js'
import { RoleTable } from './role-table.js'
import { may, mayGiveRole } from './roles.js'
import { rolesOf, useRoles } from './use-roles.js'

const texts = organizationTexts.roles

/** Who may what in the organization, and the roles that it has defined itself. */
export function RolesTab({ own }: { own: Organization }) {
  const roles = useRoles(own.id)
  return (
    <Stack gap="xl">
      <OwnRoles own={own} roles={roles.filter(({ custom }) => custom)} />
      <Stack component="section" gap="xs">
        <SectionTitle>{texts.whoMayWhat}</SectionTitle>
        <Text size="sm" c="dimmed">
          {texts.whoMayWhatText}
        </Text>
        <RoleTable roles={roles} />
      </Stack>
    </Stack>
  )
}

function OwnRoles({ own, roles }: { own: Organization; roles: readonly RoleDefinition[] }) {
  const writes = may(own, 'organization:write')
  const actions: Column<RoleDefinition> = {
    name: 'actions',
    header: texts.actions,
    align: 'right',
    width: '180px',
    cell: (role) => mayGiveRole(own, role) && <Actions own={own} role={role} />,
  }
  const columns: Column<RoleDefinition>[] = [
    { name: 'name', header: texts.name, cell: ({ name }) => name, width: '1fr' },
    { name: 'permissions', header: texts.permissions, cell: wordsOf, width: '3fr' },
  ]
  return (
    <Stack component="section" gap="xs">
      <Group justify="space-between">
        <SectionTitle>{texts.own}</SectionTitle>
        {writes && <RoleEditorButton own={own} />}
      </Group>
      <Text size="sm" c="dimmed">
        {texts.ownText}
      </Text>
      <DataTable
        label={texts.own}
        rows={roles}
        columns={writes ? [...columns, actions] : columns}
        keyOf={({ name }) => name}
        empty={texts.none}
      />
    </Stack>
  )
}

function wordsOf({ permissions }: RoleDefinition): string {
  return permissions.map((permission) => PERMISSIONS[permission]).join(' ')
}

function Actions({ own, role }: { own: Organization; role: RoleDefinition }) {
  const client = useQueryClient()
  async function remove() {
    await platformClient.accounts.organizations.removeRole({ params: { id: own.id, name: role.name } })
    notifications.show({ message: texts.deleted })
    await client.invalidateQueries({ queryKey: rolesOf(own.id) })
  }
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <RoleEditorButton own={own} role={role} size="xs" variant="default" />
      <ConfirmButton action={texts.delete} title={texts.deleteTitle(role.name)} size="xs" onConfirm={remove}>
        <Text>{texts.deleteText}</Text>
      </ConfirmButton>
    </Group>
  )
}
