import './role-table.css'
import { Text, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { RoleDefinition } from '@trestle/contracts/accounts/organizations'
import { ALL_PERMISSIONS, PERMISSIONS, type Permission } from '@trestle/contracts/permissions'
import { type Column, DataTable } from '../parts/data-table.js'
import { roleText } from '../texts/accounts.js'
import { organizationTexts } from '../texts/organization.js'

const texts = organizationTexts.roles

/** Who may what: a line for each permission, a column for each role. */
export function RoleTable({ roles }: { roles: readonly RoleDefinition[] }) {
  const columns: Column<Permission>[] = [
    { name: 'permission', header: texts.permission, cell: (permission) => <Described permission={permission} /> },
    ...roles.map(({ name, permissions }) => ({
      name,
      header: roleText(name).label,
      cell: (permission: Permission) => <Mark isAllowed={permissions.includes(permission)} />,
    })),
  ]
  return (
    <div className="role-table">
      <DataTable
        label={texts.whoMayWhat}
        rows={ALL_PERMISSIONS}
        columns={columns}
        keyOf={(permission) => permission}
        minWidth={240 + 75 * roles.length}
      />
    </div>
  )
}

function Described({ permission }: { permission: Permission }) {
  return (
    <>
      {PERMISSIONS[permission]}
      <Text className="mono" size="xs" c="dimmed">
        {permission}
      </Text>
    </>
  )
}

function Mark({ isAllowed }: { isAllowed: boolean }) {
  return (
    <>
      {isAllowed && <IconCheck size={18} aria-hidden />}
      <VisuallyHidden>{isAllowed ? texts.yes : texts.no}</VisuallyHidden>
    </>
  )
}
