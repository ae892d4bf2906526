// The parts of the page for those who play, in the order in which they are drawn.

import { partyTable } from "/party-table.js";
import { result } from "/result.js";
import { scores } from "/scores.js";
import { sealing } from "/sealing.js";
import { sheet } from "/sheet.js";
import { table } from "/table.js";
import { tools } from "/tools.js";

export const PARTS = [table, partyTable, result, tools, scores, sealing, sheet];
