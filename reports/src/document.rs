//! The summary as a value: blocks in order, rendered as Markdown by [`crate::markdown`] and as a page by
//! [`crate::html`].
//!
//! Text is plain: the renderers escape it, so that a witness or a pattern cannot break a page.

use crate::table::Table;

/// A piece of a document.
#[derive(Clone, Debug)]
pub enum Block {
    /// A title: level 1 is the document's own.
    Heading(u8, String),
    /// Running text.
    Paragraph(String),
    /// What must not be overlooked: a title and its items.
    Alarm(String, Vec<String>),
    /// That there is no alarm.
    Calm(String),
    /// Items.
    List(Vec<String>),
    /// A table with its notes.
    Table(Table),
    /// A picture made beside the document.
    Picture {
        /// Of the files, without folder and extension.
        name: String,
        /// What it shows, for those who do not see it.
        alt: String,
    },
}

/// Blocks in order.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// From top to bottom.
    pub blocks: Vec<Block>,
}

impl Document {
    /// Adds a title.
    pub fn heading(&mut self, level: u8, text: impl Into<String>) {
        self.blocks.push(Block::Heading(level, text.into()));
    }

    /// Adds running text.
    pub fn paragraph(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) {
        self.blocks.push(Block::Table(table));
    }

    /// The tables, in order.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }
}
