// A table that is sorted by any of its columns. On a phone each row is a card.
// @ts-check

import { html } from "../html.js";
import { strings } from "../strings.js";

/**
 * @typedef {object} Column
 * @property {string} key its title is the text `host.column.KEY`
 * @property {(row: any) => string | number} value what it is sorted by
 * @property {(row: any) => any} [cell] what it shows, if that is something else
 * @property {boolean} [most] whether the largest values come first
 * @property {boolean} [end] whether it has numbers
 */

/** @typedef {{key: string, back: boolean}} Sort `back`: the other way round */

/**
 * @typedef {object} Props
 * @property {string} label
 * @property {readonly Column[]} columns the first one names the row
 * @property {readonly any[]} rows
 * @property {(row: any) => string | number} id
 * @property {Sort} sort
 * @property {(sort: Sort) => void} onsort
 * @property {string} none what is shown without rows
 * @property {(row: any) => void} [open] what the name of a row does
 * @property {(row: any) => any} [end] what stands at the end of a row
 */

/** Roles are named, because a style may take them from a table. @param {Props} props */
export function Table({ label, columns, rows, id, sort, onsort, none, open, end }) {
  if (rows.length === 0) return html`<p class="empty host-none">${none}</p>`;
  return html`<table class="host-table" role="table" aria-label=${label}>
    <thead role="rowgroup"><tr role="row">
      ${columns.map((column) => html`<${Head} key=${column.key} column=${column} sort=${sort} onsort=${onsort} />`)}
      ${end && html`<th role="columnheader" class="host-last"><span class="visually-hidden">${strings("host.column.do")}</span></th>`}
    </tr></thead>
    <tbody role="rowgroup">
      ${sorted(rows, columns, sort).map((row) => html`<tr role="row" key=${id(row)}>
        ${columns.map((column, at) => {
          const { key, value, cell = value } = column;
          const shown = cell(row);
          const title = strings(`host.column.${key}`);
          if (at > 0) return html`<td role="cell" key=${key} data-title=${title} data-end=${column.end}>${shown}</td>`;
          return html`<th role="rowheader" scope="row" key=${key}>
            ${open ? html`<button type="button" class="host-open" aria-haspopup="dialog" onclick=${() => open(row)}>${shown}</button>` : shown}
          </th>`;
        })}
        ${end && html`<td role="cell" class="host-last">${end(row)}</td>`}
      </tr>`)}
    </tbody>
  </table>`;
}

/** @param {{column: Column, sort: Sort, onsort: (sort: Sort) => void}} props */
function Head({ column, sort, onsort }) {
  const { key, end } = column;
  const is = sort.key === key;
  const down = is && Boolean(column.most) !== sort.back;
  return html`<th role="columnheader" scope="col" data-end=${end} aria-sort=${is ? (down ? "descending" : "ascending") : null}>
    <button type="button" class="host-sort" onclick=${() => onsort({ key, back: is && !sort.back })}>
      ${strings(`host.column.${key}`)}<span class="host-arrow" aria-hidden="true">${is ? (down ? "↓" : "↑") : ""}</span>
    </button>
  </th>`;
}

/**
 * @param {readonly any[]} rows
 * @param {readonly Column[]} columns
 * @param {Sort} sort
 */
export function sorted(rows, columns, { key, back }) {
  const column = columns.find((one) => one.key === key);
  if (!column) return rows;
  const way = Boolean(column.most) === back ? 1 : -1;
  return [...rows].sort((one, other) => {
    const first = column.value(one);
    const second = column.value(other);
    return way * (typeof first === "number" && typeof second === "number" ? first - second : String(first).localeCompare(String(second)));
  });
}
